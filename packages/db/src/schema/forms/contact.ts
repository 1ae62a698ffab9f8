import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../json.ts';

export const contactSubmissions = sqliteTable('contact_submissions', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  phone: text('phone').notNull(),
  company: text('company').notNull(),
  message: text('message').notNull(),
  service: text('service').notNull(),
  /** Why it is in quarantine; null once delivered. */
  spamSignals: json<string[]>('spam_signals'),
  createdAt: integer('created_at').notNull(),
});
