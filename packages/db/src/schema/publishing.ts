import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Pages to update after a commit. Each server that shares the database runs all of them, in the
 * order of their ids, and remembers in its manifest which ones are done.
 */
export const publishJobs = sqliteTable('publish_jobs', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  paths: text('paths', { mode: 'json' }).$type<string[]>().notNull(),
  createdAt: integer('created_at').notNull(),
});

/** Changed paths that have not been sent to the publish hook. */
export const publishHookChanges = sqliteTable(
  'publish_hook_changes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** '*' for all. */
    path: text('path').notNull(),
    /** The id of the message that is being sent with it, until that succeeds. */
    messageId: text('message_id'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('publish_hook_changes_waiting').on(table.path).where(sql`message_id IS NULL`),
    index('publish_hook_changes_message').on(table.messageId),
  ],
);
