import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from './json.ts';

/** What a mail says, before it becomes text and HTML. Everything in it is plain text. */
export interface Letter {
  /** What mail programs show beside the subject; the first paragraph where it is absent. */
  preheader?: string;
  heading?: string;
  paragraphs: readonly string[];
  /** A small table. `href` makes a link of the value: `mailto:` or `tel:`. */
  facts?: readonly { label: string; value: string; href?: string }[];
  /** What somebody wrote, with its own lines. */
  quote?: { label: string; text: string };
  /** The one thing to press, if there is one. */
  action?: { label: string; url: string };
  /** Said in small below. */
  note?: string;
  /** Something else to press, in small at the end. */
  link?: { label: string; url: string };
  /** Why this person gets the mail, as a sentence, at its foot. */
  reason?: string;
}

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
    /** What it says. It is drawn when it goes out: as text and HTML it would be twenty times as large. */
    letter: text('letter', { mode: 'json' }).$type<Letter>().notNull(),
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
export const mailSuppressions = sqliteTable('mail_suppressions', {
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
