import { company } from '../company.ts';

interface Words {
  title: string;
  /** For search engines: at most 155 characters. */
  description: string;
  heading: string;
  text: string;
}

interface Question extends Words {
  button: string;
}

interface Outcome extends Words {
  /** Raises the flag of the mailbox in the illustration. */
  isMailExpected: boolean;
  next: { label: string; href: string };
}

/** On the pages that emailed links open. */
export const newsletterQuestions = {
  confirm: {
    title: 'Confirm your subscription',
    description: `Confirm that the newsletter of ${company.name} shall come to your address.`,
    heading: 'Shall we write to you?',
    text: 'Press the button and this address is on the list of our newsletter. You can leave it whenever you like, with one press.',
    button: 'Yes, put me on the list',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    description: `End your subscription to the newsletter of ${company.name}.`,
    heading: 'Stop the newsletter?',
    text: 'Press the button and we send no more of it to this address. You need not say why.',
    button: 'Unsubscribe',
  },
} as const satisfies Record<string, Question>;

/** In the footer. */
const form = '#newsletter-email';

/** Pages at /newsletter/{name}, to which the API redirects. */
export const newsletterOutcomes: Readonly<Record<string, Outcome>> = {
  confirmed: {
    title: 'You are subscribed',
    description: `Your address is on the list of the newsletter of ${company.name}.`,
    heading: "You're on the list",
    text: 'Your address is confirmed, and a welcome has gone out to it. The link you followed has done its work: opening it again changes nothing.',
    isMailExpected: true,
    next: { label: 'Read the blog meanwhile', href: '/blog' },
  },
  'dead-link': {
    title: 'Link expired or already used',
    description: 'A link that confirms a subscription works for 48 hours, and only the newest one.',
    heading: 'This link no longer works',
    text: 'A newer mail took its place, or it is older than 48 hours. Open the newest mail from us, or subscribe again for a new link.',
    isMailExpected: false,
    next: { label: 'Subscribe again', href: form },
  },
  unsubscribed: {
    title: 'You are unsubscribed',
    description: `The newsletter of ${company.name} does not come to your address any more.`,
    heading: "You're off the list",
    text: 'We send no more newsletters to this address. Was it a slip? Subscribe again, and it is as if nothing had happened.',
    isMailExpected: false,
    next: { label: 'Subscribe again', href: form },
  },
  'unknown-link': {
    title: 'No subscription found',
    description: 'No subscription to the newsletter belongs to this link.',
    heading: 'We know no subscription with this link',
    text: 'It may have lost a part on its way: please open it from the mail once more. If newsletters still come, write to us and a person ends it.',
    isMailExpected: false,
    next: { label: 'Write to us', href: `mailto:${company.mailboxes.hello}` },
  },
  failed: {
    title: 'That did not work',
    description: 'Something went wrong with the link of a newsletter mail. Nothing was changed.',
    heading: 'That did not work',
    text: 'Something failed on our side, or the link lost a part on its way. Nothing was changed: please open it from the mail once more.',
    isMailExpected: false,
    next: { label: 'Write to us', href: `mailto:${company.mailboxes.hello}` },
  },
};
