import type { outbox } from '@app/db/schema/email';
import type { EmailBodies } from './render.tsx';

/** A mail as the outbox holds it. */
export type OutboxMail = typeof outbox.$inferSelect;

/** A mail as it goes out. */
export type OutgoingMail = Omit<OutboxMail, 'props'> & EmailBodies;

export type SendResult =
  /** The next server has it. `details` go into the log. */
  | { outcome: 'sent'; details?: Record<string, unknown> }
  /** Worth trying again: time-outs, 5xx, a wrong key that the operator can mend. */
  | { outcome: 'failed'; reason: string }
  /** Nothing is wrong with it: no mail at all is taken for so many milliseconds. */
  | { outcome: 'held'; reason: string; retryAfter: number }
  /** It will never be taken as it is. */
  | { outcome: 'refused'; reason: string };

/** Hands a mail to the world. Never throws, and gives up by itself within a minute. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<SendResult>;
}

const maxReasonLength = 200;

/** The start of what a server or an error said, on one line, as it is stored and logged. */
export const excerpt = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, maxReasonLength).toWellFormed();

/** What went wrong. `fetch` says only that it failed; why is in the error's cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return excerpt(String(error));
  const { cause } = error;
  if (!(cause instanceof Error)) return excerpt(error.message);
  // Where several addresses of a host were tried, Node gives each of their errors and no message.
  const why = cause.message || (cause as NodeJS.ErrnoException).code || '';
  return excerpt(`${error.message}: ${why}`);
}

/** The same at every attempt, so that a receiver can tell a second copy (RFC 5322 §3.6.4). */
export const messageIdOf = (mail: OutgoingMail, from: string): string =>
  `<${mail.id}@${from.replace(/^.*@/, '').replace('>', '')}>`;
