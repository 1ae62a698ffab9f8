import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from './json.ts';

/** Mails that a commit promised. The id is also the provider's idempotency key and the Message-ID. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    /** Which email it is, and the name of its template: 'confirmation', 'contact-notice', … */
    kind: text('kind').notNull(),
    to: text('to').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    /** What its template shows. Rendered when it is sent: text and HTML are twenty times as large. */
    props: text('props', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Further header lines of the mail, such as List-Unsubscribe (RFC 8058). */
    headers: json<Record<string, string>>('headers'),
    state: text('state', { enum: ['queued', 'sent', 'dead'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** A queued mail is taken when this has come; while it is being sent, when its sender is given up. */
    nextAttemptAt: integer('next_attempt_at').notNull(),
    lastError: text('last_error'),
    sentAt: integer('sent_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('outbox_due').on(table.state, table.nextAttemptAt)],
);

/** Addresses that mail came back from, or whose people complained. Nothing is sent there any more. */
export const emailSuppressions = sqliteTable('email_suppressions', {
  /** Lower case. */
  email: text('email').primaryKey(),
  reason: text('reason', { enum: ['bounce', 'complaint'] }).notNull(),
  /** What the mail service said of it. */
  detail: text('detail'),
  createdAt: integer('created_at').notNull(),
});

/**
 * What visitors asked to be mailed to an address in the last day, whether or not it was: nobody's
 * mailbox is flooded, and asking costs the same write for every address.
 */
export const requestedEmails = sqliteTable(
  'requested_emails',
  {
    id: integer('id').primaryKey(),
    /** SHA-256 (hex) of the mailbox (`mailboxOf` in api/src/mail/budget.ts): it outlives the account. */
    mailboxHash: text('mailbox_hash').notNull(),
    /** As in `outbox`. */
    kind: text('kind').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('requested_emails_mailbox').on(table.mailboxHash, table.createdAt)],
);
