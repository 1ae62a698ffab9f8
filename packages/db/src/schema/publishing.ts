import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Paths whose files may change, in the order of commits; never their content. Each server that
 * shares the database reads it, and remembers in a file of its own up to which entry its files are
 * on the disk.
 */
export const publishLog = sqliteTable('publish_log', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  /** '*' for all. */
  path: text('path').notNull(),
  createdAt: integer('created_at').notNull(),
});
