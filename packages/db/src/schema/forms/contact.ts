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
  /** What made it suspicious, while it waits for a person to release it. Null for what was delivered. */
  quarantinedFor: json<string[]>('quarantined_for'),
  createdAt: integer('created_at').notNull(),
});
