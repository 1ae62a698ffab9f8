import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const newsletterSubscriptions = sqliteTable('newsletter_subscriptions', {
  id: text('id').primaryKey(),
  email: text('email').notNull().unique(),
  /** Double opt-in. */
  state: text('state', { enum: ['pending', 'confirmed', 'unsubscribed'] })
    .notNull()
    .default('pending'),
  /** SHA-256 (hex). */
  confirmTokenHash: text('confirm_token_hash').unique(),
  confirmExpiresAt: integer('confirm_expires_at'),
  /** In plain text, because every newsletter contains it. It can only unsubscribe. */
  unsubscribeToken: text('unsubscribe_token').unique(),
  /** In the current round, see `confirmationEmails` in the contract. */
  confirmationEmailsSent: integer('confirmation_emails_sent').notNull().default(0),
  confirmedAt: integer('confirmed_at'),
  unsubscribedAt: integer('unsubscribed_at'),
  createdAt: integer('created_at').notNull(),
});
