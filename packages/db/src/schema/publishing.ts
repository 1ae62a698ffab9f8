import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Pages that a commit made stale. A row goes when its pages are served as they should be. */
export const publishJobs = sqliteTable('publish_jobs', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  /** The site's addresses to bring up to date, as a JSON array of paths. */
  paths: text('paths', { mode: 'json' }).$type<string[]>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  /** When it is tried again after a failure. */
  nextAttemptAt: integer('next_attempt_at').notNull().default(0),
  lastError: text('last_error'),
  createdAt: integer('created_at').notNull(),
});
