import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Requests counted per key; see `createRateLimits` in apps/api. */
export const rateLimits = sqliteTable('rate_limits', {
  /** The name of the limit, and a hash of what it counts. */
  key: text('key').primaryKey(),
  count: integer('count').notNull().default(0),
  expiresAt: integer('expires_at'),
});

/** Random signing keys, created at the first start. */
export const serverSecrets = sqliteTable('server_secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** Leases on work that only one of several servers does; see `takeLease` in apps/api. */
export const leases = sqliteTable('leases', {
  name: text('name').primaryKey(),
  /** A random id of the process. */
  holder: text('holder').notNull(),
  /** By the clock of the database. */
  until: integer('until').notNull(),
});

/** `pnpm cli database move`. At most one row. Written and read by `src/move`. */
export const databaseMoves = sqliteTable('database_moves', {
  /** The same in both databases. */
  id: text('id').primaryKey(),
  /** The first two are states of the source, the last is that of the destination. */
  state: text('state', { enum: ['moving', 'moved', 'incomplete'] }).notNull(),
  /** The other database, for messages. */
  other: text('other').notNull(),
  /** Until then, by the clock of the database, triggers refuse writes. Null: for good. */
  blockedUntil: integer('blocked_until'),
  /** The number of email results, which are stored nevertheless. */
  results: integer('results').notNull().default(0),
});
