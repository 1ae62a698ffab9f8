import type { outbox } from '@app/db/schema/email';
import type { Refusal } from './refusals.ts';
import type { EmailBodies } from './render.tsx';

export type OutboxEmail = typeof outbox.$inferSelect;

export type OutgoingEmail = Omit<OutboxEmail, 'props'> & EmailBodies;

export type SendResult =
  /** Accepted by the next server. `details` are logged. */
  | { outcome: 'sent'; details?: Record<string, unknown> }
  /** Will be retried: timeouts, 5xx, a wrong key. `refuses` is set if others would fail, too. */
  | { outcome: 'failed'; reason: string; refuses?: Refusal }
  /** Rate-limited: nothing is accepted for `retryAfter` milliseconds. */
  | { outcome: 'rate_limited'; reason: string; retryAfter: number }
  /** Permanent. */
  | { outcome: 'refused'; reason: string };

/** Never throws, and returns within a minute. */
export interface EmailTransport {
  send(email: OutgoingEmail): Promise<SendResult>;
}

const maxReasonLength = 200;

/** The start of a reply or error message, on one line. */
export const excerpt = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, maxReasonLength).toWellFormed();

/**
 * `fetch` errors have the reason in their cause.
 * @param redact removes secrets before the text is cut, which may leave half of one
 */
export function reasonOf(error: unknown, redact = (text: string): string => text): string {
  if (!(error instanceof Error)) return excerpt(redact(String(error)));
  const { cause } = error;
  if (!(cause instanceof Error)) return excerpt(redact(error.message));
  // Node omits the message if it tried several addresses of a host.
  const why = cause.message || (cause as NodeJS.ErrnoException).code || '';
  return excerpt(redact(`${error.message}: ${why}`));
}

/** The same for every attempt, so that receivers can detect duplicates (RFC 5322 §3.6.4). */
export const messageIdOf = (email: OutgoingEmail, from: string): string =>
  `<${email.id}@${from.replace(/^.*@/, '').replace('>', '')}>`;
