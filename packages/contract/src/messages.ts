import { limits } from './limits.ts';
import { count, inWords } from './quantities.ts';

/** Texts used in several places. Those quoted in the spec (§5, §8) are verbatim. */
export const messages = {
  field: {
    emailRequired: 'Email is required',
    emailInvalid: 'Please enter a valid email address.',
    passwordRequired: 'Password is required',
    passwordTooShort: 'Password must be at least 6 characters',
    nameRequired: 'Full name is required',
    messageRequired: 'Message is required',
    titleRequired: 'Title is required',
    contentRequired: 'Content is required',
    slugRequired: 'URL slug is required',
    slugShape: 'Use lowercase letters, digits, hyphens and underscores only.',
    slugReserved: 'The site itself uses this URL. Please choose another slug.',
    urlInvalid: 'Please enter a URL that starts with http:// or https://.',
    tooManyTags: `Please use at most ${limits.tags} tags.`,
    tagTooLong: `A tag can have at most ${limits.tag} characters. Separate tags with commas.`,
    tagInvalid: 'A tag needs at least one letter or digit.',
    serviceUnknown: 'Please choose one of the listed services.',
    tokenRequired: 'The link is incomplete. Please open it from the email again.',
    unknown: 'Unknown field.',
    nothingToChange: 'Send at least one field to change.',
    combiningMarks: `A character can carry at most ${limits.combiningMarks} accents or other marks. Please remove some.`,
    tooLong: (max: number) => `Please use at most ${max.toLocaleString('en-US')} characters.`,
  },
  submissions: {
    tooMany: (retryAfterSeconds: number) => {
      const minutes = Math.ceil(retryAfterSeconds / 60);
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
      return `Too many messages were sent from your network in the last hour. Please try again in ${wait}.`;
    },
  },
  forms: {
    unreachable: "We couldn't reach the server. Please try again.",
    /** The form keeps what was typed. */
    unreachableTyped: "We couldn't reach the server. What you typed is still here.",
    /** 408. */
    tooSlow: 'Sending took too long. Please check your connection and try again.',
    sentAutomatically:
      "We'll send it automatically as soon as the connection is back. Please keep this page open.",
    tooMany: { title: 'Too many messages' },
    sentAutomaticallyIn: (seconds: number) =>
      `We'll send it automatically in about ${inWords(seconds)}. Please keep this page open.`,
    stopWaiting: 'Stop waiting',
    notSent: { title: 'Not sent', description: 'What you typed is still here.' },
    /** @param time as 3:42 PM */
    sentAt: (time: string) => `It was sent automatically at ${time}.`,
    /** @param room negative if there are too many */
    charactersLeft: (room: number) =>
      room < 0 ? `${count(-room, 'character')} too many` : `${count(room, 'character')} left`,
    again: {
      title: 'Some fields need your attention',
      description: 'Nothing is lost: what you typed is below.',
    },
  },
  contact: {
    sent: { title: 'Message sent!', description: "We'll get back to you as soon as possible." },
    notStored: { title: 'Error submitting form', description: 'Please try again later.' },
    failed: { title: 'An error occurred', description: 'Please try again later.' },
    services: {
      general: 'General question',
      betty: 'Betty AI Assistant',
      custom: 'Custom AI Solutions',
      website: 'Website Redesign',
      demo: 'A demo',
    },
  },
  newsletter: {
    subscribed: {
      title: 'Subscription successful',
      description: 'Thank you for subscribing to our newsletter!',
    },
    confirm: 'One more step: confirm your address with the button in our email.',
    sentAgain: 'We sent the email again. Please confirm your address with the button in it.',
    sendAgainIn: (seconds: number) =>
      `Please confirm your address with the button in our email. You can request it again in ${inWords(seconds)}.`,
    /** When earlier requests are unknown. */
    sendAgain: 'No email? Subscribe again after a minute, up to three times a day.',
    alreadySubscribed: {
      title: 'Already subscribed',
      description: 'This email is already subscribed to our newsletter.',
    },
    invalid: {
      title: 'Invalid email',
      description: 'Please enter a valid email address.',
    },
    failed: {
      title: 'Subscription failed',
      description: 'There was an error subscribing to the newsletter. Please try again later.',
    },
    deadLink:
      'This link has expired or was replaced by a newer one. Please subscribe again to get a new one.',
    unknownLink: "This link doesn't match any subscription.",
  },
  careers: {
    sent: 'Your inquiry has been submitted successfully!',
    notStored: 'Error submitting form. Please try again later.',
    failed: 'Failed to submit your inquiry. Please try again.',
    nameTooShort: 'Name must be at least 2 characters.',
    resumeLinkInvalid: 'Please enter a valid URL for your resume.',
    messageTooShort: 'Message must be at least 10 characters.',
  },
} as const;
