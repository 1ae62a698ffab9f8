import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Pages to update after a commit. Deleted when they are published. */
export const publishJobs = sqliteTable('publish_jobs', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  paths: text('paths', { mode: 'json' }).$type<string[]>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  /** After a failure. */
  nextAttemptAt: integer('next_attempt_at').notNull().default(0),
  lastError: text('last_error'),
  createdAt: integer('created_at').notNull(),
});
