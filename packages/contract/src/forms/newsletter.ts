import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { messages } from '../messages.ts';

export const newsletterSubscription = v.strictObject({
  email: emailField(messages.newsletter.invalid.description),
});
export type NewsletterSubscription = v.InferOutput<typeof newsletterSubscription>;

const minute = 60_000;

/**
 * How often one address is asked to confirm, whoever types it into a form: three times, a minute
 * apart at least, and then not until a day after the last. In milliseconds.
 */
export const confirmationEmails = { max: 3, pause: minute, rest: 24 * 60 * minute } as const;

/** What a browser has asked for, by its own account. */
export interface AskedToConfirm {
  email: string;
  /** How many emails it caused in this round, and when the last one was sent (epoch milliseconds). */
  count: number;
  at: number;
}

/** What comes of asking once more: an email, or how long it takes until one is sent again. */
export type NextConfirmation =
  | { sent: 'first' | 'again'; asked: AskedToConfirm }
  | { waitSeconds: number };

/**
 * What comes of it when a browser asks for an address, going by what it has asked for itself. The
 * API answers alike for an address that is new and for one that waits for its owner, so nobody
 * learns from it what others have asked for.
 */
export const nextConfirmation = (
  last: AskedToConfirm | undefined,
  email: string,
  now: number,
): NextConfirmation => {
  const { max, pause, rest } = confirmationEmails;
  if (last?.email !== email || now >= last.at + rest) {
    return { sent: 'first', asked: { email, count: 1, at: now } };
  }
  const next = last.at + (last.count < max ? pause : rest);
  return now >= next
    ? { sent: 'again', asked: { email, count: last.count + 1, at: now } }
    : { waitSeconds: Math.ceil((next - now) / 1_000) };
};

declare module '../pages.ts' {
  interface RenderedPages {
    /** /newsletter/confirm: `token` goes back to the API when the person presses the button. */
    newsletterConfirm: { token: string };
    /** /newsletter/unsubscribe: likewise. */
    newsletterUnsubscribe: { token: string };
  }
}
