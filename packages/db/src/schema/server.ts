import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Requests counted per key; see `createDatabaseLimits` in apps/api. */
export const rateLimits = sqliteTable('rate_limits', {
  key: text('key').primaryKey(),
  count: integer('count').notNull().default(0),
  expiresAt: integer('expires_at'),
});

/** Random signing keys, created at the first start. */
export const serverSecrets = sqliteTable('server_secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});
