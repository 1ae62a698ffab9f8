import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { json } from '../json.ts';

export const careerInquiries = sqliteTable('career_inquiries', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  resumeLink: text('resume_link'),
  message: text('message').notNull(),
  /** What made it suspicious, while it waits for a person to release it. Null for what was delivered. */
  quarantinedFor: json<string[]>('quarantined_for'),
  createdAt: integer('created_at').notNull(),
});
