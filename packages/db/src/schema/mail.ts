import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Mails that a commit promised. The id is also the provider's idempotency key and the Message-ID. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    /** Which mail it is, for people who look at the table: 'confirmation', 'contact-notice', … */
    kind: text('kind').notNull(),
    to: text('to').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** Further header lines of the mail, such as List-Unsubscribe (RFC 8058). */
    headers: text('headers', { mode: 'json' }).$type<Record<string, string>>(),
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
export const mailSuppressions = sqliteTable('mail_suppressions', {
  /** Lower case. */
  email: text('email').primaryKey(),
  reason: text('reason', { enum: ['bounce', 'complaint'] }).notNull(),
  /** What the mail service said of it. */
  detail: text('detail'),
  createdAt: integer('created_at').notNull(),
});
