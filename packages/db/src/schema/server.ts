import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How much of a limit is used up, as rate-limiter-flexible keeps it. */
export const rateLimits = sqliteTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  expire: integer('expire'),
});

/** Random values that the server makes at its first start and keeps to itself. */
export const serverSecrets = sqliteTable('server_secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});
