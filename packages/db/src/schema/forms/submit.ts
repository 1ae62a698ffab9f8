import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * What was sent already, by the key that its sender gave it
 * (draft-ietf-httpapi-idempotency-key-header): the same again stores nothing.
 */
export const submissionKeys = sqliteTable(
  'submission_keys',
  {
    /** Which form: contact, careers. */
    form: text('form').notNull(),
    key: text('key').notNull(),
    /** SHA-256 (hex) of what was sent with it. */
    bodyHash: text('body_hash').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.form, table.key] }),
    index('submission_keys_created_at').on(table.createdAt),
  ],
);

/** What somebody without scripts typed into a form that was refused: their next page shows it again. */
export const keptEntries = sqliteTable(
  'kept_entries',
  {
    /** SHA-256 (hex) of the token in that page's address. */
    tokenHash: text('token_hash').primaryKey(),
    form: text('form').notNull(),
    entries: text('entries', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    issues: text('issues', { mode: 'json' }).$type<{ path: string; message: string }[]>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('kept_entries_created_at').on(table.createdAt)],
);
