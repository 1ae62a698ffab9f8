import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from './json.ts';

/** Emails to send. The id is also the idempotency key and the Message-ID. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    /** The name of its template, such as 'confirmation'. */
    kind: text('kind').notNull(),
    to: text('to').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    /** For the template, rendered when sent: text and HTML are twenty times as large. */
    props: text('props', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Such as List-Unsubscribe (RFC 8058). */
    headers: json<Record<string, string>>('headers'),
    state: text('state', { enum: ['queued', 'sent', 'dead'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** While it is being sent, the end of its lease. */
    nextAttemptAt: integer('next_attempt_at').notNull(),
    lastError: text('last_error'),
    sentAt: integer('sent_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('outbox_due').on(table.state, table.nextAttemptAt)],
);

/** Addresses that receive no more emails. */
export const emailSuppressions = sqliteTable('email_suppressions', {
  /** Lowercase. */
  email: text('email').primaryKey(),
  reason: text('reason', { enum: ['bounce', 'complaint'] }).notNull(),
  /** From the email service. */
  detail: text('detail'),
  createdAt: integer('created_at').notNull(),
});

/** Requests of visitors for emails in the last day, whether or not one was sent. */
export const requestedEmails = sqliteTable(
  'requested_emails',
  {
    id: integer('id').primaryKey(),
    /** SHA-256 (hex), see `mailboxOf` in apps/api; empty without an email. Outlives the account. */
    mailboxHash: text('mailbox_hash').notNull(),
    kind: text('kind').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('requested_emails_mailbox').on(table.mailboxHash, table.createdAt)],
);
