import { company } from '../company.ts';

interface Words {
  title: string;
  /** For search engines, at most 155 characters. */
  description: string;
  heading: string;
  text: string;
}

interface Question extends Words {
  button: string;
}

interface Outcome extends Words {
  /** Raises the flag of the mailbox in the illustration. */
  isEmailExpected: boolean;
  next: { label: string; href: string };
}

/** Pages that emailed links open. */
export const newsletterQuestions = {
  confirm: {
    title: 'Confirm your subscription',
    description: `Confirm your subscription to the ${company.name} newsletter.`,
    heading: 'Want our newsletter?',
    text: 'Press the button to get it at this address. You can unsubscribe at any time with one click.',
    button: 'Yes, put me on the list',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    description: `End your subscription to the ${company.name} newsletter.`,
    heading: 'Stop the newsletter?',
    text: 'Press the button and we’ll stop sending it to this address. No need to say why.',
    button: 'Unsubscribe',
  },
} as const satisfies Record<string, Question>;

/** The newsletter form in the footer. */
const form = '#newsletter-email';

/** Pages at /newsletter/{name}, to which the API redirects. */
export const newsletterOutcomes: Readonly<Record<string, Outcome>> = {
  confirmed: {
    title: 'You are subscribed',
    description: `You are subscribed to the ${company.name} newsletter.`,
    heading: "You're on the list",
    text: 'Your address is confirmed, and a welcome email is on its way.',
    isEmailExpected: true,
    next: { label: 'Read the blog', href: '/blog' },
  },
  'dead-link': {
    title: 'Link expired or already used',
    description: 'A confirmation link works for 48 hours, and only the newest one works.',
    heading: 'This link no longer works',
    text: 'It is older than 48 hours, or a newer email replaced it. Open the newest email from us, or subscribe again to get a new link.',
    isEmailExpected: false,
    next: { label: 'Subscribe again', href: form },
  },
  unsubscribed: {
    title: 'You are unsubscribed',
    description: `You no longer get the ${company.name} newsletter.`,
    heading: "You're off the list",
    text: 'We won’t send the newsletter to this address anymore. Changed your mind? Subscribe again at any time.',
    isEmailExpected: false,
    next: { label: 'Subscribe again', href: form },
  },
  'unknown-link': {
    title: 'No subscription found',
    description: 'This link does not match any newsletter subscription.',
    heading: 'We can’t find that subscription',
    text: 'Part of the link may be missing: please open it from the email again. If you still get newsletters, write to us and we’ll remove you by hand.',
    isEmailExpected: false,
    next: { label: 'Write to us', href: `mailto:${company.mailboxes.hello}` },
  },
  failed: {
    title: 'Something went wrong',
    description: 'A newsletter link did not work. Nothing was changed.',
    heading: 'Something went wrong',
    text: 'Either something failed on our side, or part of the link is missing. Nothing was changed: please open it from the email again.',
    isEmailExpected: false,
    next: { label: 'Write to us', href: `mailto:${company.mailboxes.hello}` },
  },
};
