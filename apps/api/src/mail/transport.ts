import type { outbox } from '@app/db/schema/mail';
import type { drawn } from './letter.ts';

/** A mail as the outbox holds it. */
export type OutboxMail = typeof outbox.$inferSelect;

/** A mail as it goes out. */
export type OutgoingMail = ReturnType<typeof drawn<OutboxMail>>;

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

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The same at every attempt, so that a receiver can tell a second copy (RFC 5322 §3.6.4). */
export const messageIdOf = (mail: OutgoingMail, from: string): string =>
  `<${mail.id}@${from.replace(/^.*@/, '').replace('>', '')}>`;
