import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Requests counted per key; see `createDatabaseLimits` in apps/api. */
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

/** Of work that one of several servers does; see `takeLease` in apps/api. */
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
  /** The first two are of the database that is left, the last is of the one that receives it. */
  state: text('state', { enum: ['moving', 'moved', 'incomplete'] }).notNull(),
  /** The other database, for people. */
  other: text('other').notNull(),
  /** Until then, by the clock of the database, triggers refuse writes. Null: for good. */
  blockedUntil: integer('blocked_until'),
  /** Results of emails, which are stored all the same. */
  results: integer('results').notNull().default(0),
});
