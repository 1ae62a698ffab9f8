import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Times are milliseconds since 1970 in UTC, in every table. */
export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  /** Lower case; see `emailField` in contract. */
  email: text('email').notNull().unique(),
  /** An argon2id string in PHC format. Null for somebody who only signs in elsewhere. */
  passwordHash: text('password_hash'),
  role: text('role', { enum: ['member', 'staff'] })
    .notNull()
    .default('member'),
  emailConfirmedAt: integer('email_confirmed_at'),
  createdAt: integer('created_at').notNull(),
});

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 (hex) of what the cookie holds: who reads this table can sign in as nobody. */
    idHash: text('id_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
);

export const emailTokens = sqliteTable(
  'email_tokens',
  {
    /** SHA-256 (hex) of the token in the mailed link. */
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', { enum: ['confirm'] }).notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The password that was chosen with the sign-up this link belongs to, as its argon2id string. */
    passwordHash: text('password_hash'),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('email_tokens_user_id').on(table.userId)],
);

export const profiles = sqliteTable('profiles', {
  id: text('id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  username: text('username'),
  fullName: text('full_name'),
  avatarUrl: text('avatar_url'),
  updatedAt: integer('updated_at').notNull(),
});
