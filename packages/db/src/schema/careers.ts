import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const careerInquiries = sqliteTable('career_inquiries', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  resumeLink: text('resume_link'),
  message: text('message').notNull(),
  createdAt: integer('created_at').notNull(),
});
