import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const contactSubmissions = sqliteTable('contact_submissions', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  phone: text('phone').notNull(),
  company: text('company').notNull(),
  message: text('message').notNull(),
  service: text('service').notNull(),
  createdAt: integer('created_at').notNull(),
});
