import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../json.ts';

export const careerInquiries = sqliteTable('career_inquiries', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  resumeLink: text('resume_link'),
  message: text('message').notNull(),
  /** Why it is in quarantine; null once delivered. */
  spamSignals: json<string[]>('spam_signals'),
  createdAt: integer('created_at').notNull(),
});
