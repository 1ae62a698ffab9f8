import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Keys of stored submissions (draft-ietf-httpapi-idempotency-key-header). */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    form: text('form').notNull(),
    key: text('key').notNull(),
    /** SHA-256 (hex). */
    bodyHash: text('body_hash').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.form, table.key] }),
    index('idempotency_keys_created_at').on(table.createdAt),
    // Each submission looks for the same content.
    index('idempotency_keys_content').on(table.form, table.bodyHash, table.createdAt),
  ],
);

/** Entries of a rejected form of a visitor without JavaScript. The next page shows them again. */
export const savedEntries = sqliteTable(
  'saved_entries',
  {
    /** SHA-256 (hex) of the token in that page's URL. */
    tokenHash: text('token_hash').primaryKey(),
    form: text('form').notNull(),
    entries: text('entries', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    issues: text('issues', { mode: 'json' }).$type<{ path: string; message: string }[]>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('saved_entries_created_at').on(table.createdAt)],
);
