import { limits } from './limits.ts';
import { count, inWords } from './quantities.ts';

/** Messages that several features share. Those quoted in the spec (§5, §8) are verbatim. */
export const messages = {
  field: {
    emailRequired: 'Email is required',
    emailInvalid: 'Please enter a valid email address.',
    passwordRequired: 'Password is required',
    passwordTooShort: 'Password must be at least 6 characters',
    urlInvalid: 'Please enter a URL that starts with http:// or https://.',
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
    /** For status 408. */
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
    editsNotSent: 'Your later changes are still here and were not sent.',
    /** @param room negative if there are too many */
    charactersLeft: (room: number) =>
      room < 0 ? `${count(-room, 'character')} too many` : `${count(room, 'character')} left`,
    again: {
      title: 'Some fields need your attention',
      description: 'Nothing is lost: what you typed is below.',
    },
  },
} as const;

/** Separate from the others, because only the API uses them, and in all features. */
export const serverMessages = {
  cannotSave: 'Nothing can be saved right now. Please try again in a minute.',
  failed: 'Please try again later.',
  noSpace:
    'The site is running out of space, so nothing can be saved. Please tell the team, and try again later.',
  otherUploads: 'Your other uploads are still in progress. Try again when they are done.',
  tooSlow: 'The body arrived too slowly. Send it again.',
} as const;
