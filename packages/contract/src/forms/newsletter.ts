import * as v from 'valibot';
import { day, minute } from '../durations.ts';
import { emailField } from '../fields.ts';
import { inWords } from '../quantities.ts';

/** Texts quoted in the spec (§5, §8) are verbatim. */
export const newsletterMessages = {
  subscribed: {
    title: 'Subscription successful',
    description: 'Thank you for subscribing to our newsletter!',
  },
  confirm: 'One more step: confirm your address with the button in our email.',
  sentAgain: 'We sent the email again. Please confirm your address with the button in it.',
  sendAgainIn: (seconds: number) =>
    `Please confirm your address with the button in our email. You can request it again in ${inWords(seconds)}.`,
  /** For when earlier requests are unknown. */
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
} as const;

export const newsletterSubscription = v.strictObject({
  email: emailField(newsletterMessages.invalid.description),
});
export type NewsletterSubscription = v.InferOutput<typeof newsletterSubscription>;

/** Per address: three confirmation emails at least a minute apart, then none for a day. */
export const confirmationEmails = { max: 3, pause: minute, rest: day } as const;

/** What a browser remembers about the confirmation emails it requested. */
export interface ConfirmationRequests {
  email: string;
  /** In the current round. */
  count: number;
  /** When the last one was requested, in epoch milliseconds. */
  at: number;
}

type NextConfirmation =
  | { sent: 'first' | 'again'; requests: ConfirmationRequests }
  | { waitSeconds: number };

/**
 * Whether another request will send an email, judging by this browser's own requests. The API
 * replies alike for new and pending addresses, so that it reveals nothing about other people's
 * requests.
 */
export const nextConfirmation = (
  last: ConfirmationRequests | undefined,
  email: string,
  now: number,
): NextConfirmation => {
  const { max, pause, rest } = confirmationEmails;
  if (last?.email !== email || now >= last.at + rest) {
    return { sent: 'first', requests: { email, count: 1, at: now } };
  }
  const next = last.at + (last.count < max ? pause : rest);
  return now >= next
    ? { sent: 'again', requests: { email, count: last.count + 1, at: now } }
    : { waitSeconds: Math.ceil((next - now) / 1_000) };
};

declare module '../pages.ts' {
  interface RenderedPages {
    /** /newsletter/confirm: the button posts `token`. */
    newsletterConfirm: { token: string };
    /** /newsletter/unsubscribe */
    newsletterUnsubscribe: { token: string };
  }
}
