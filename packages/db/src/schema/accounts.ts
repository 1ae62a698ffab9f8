import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In every table, times are milliseconds since 1970 in UTC. */
export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  /** Lowercase. */
  email: text('email').notNull().unique(),
  /** An argon2id string in PHC format. Null without a password. */
  passwordHash: text('password_hash'),
  role: text('role', { enum: ['member', 'staff'] })
    .notNull()
    .default('member'),
  emailConfirmedAt: integer('email_confirmed_at'),
  createdAt: integer('created_at').notNull(),
});

/**
 * Accounts that are being deleted. Their rows are deleted in batches, that of the user last. Its
 * email and password are already gone.
 */
export const accountDeletions = sqliteTable('account_deletions', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** What becomes of published posts. */
  posts: text('posts', { enum: ['keep', 'delete'] }).notNull(),
});

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 (hex) of the session token in the cookie. */
    tokenHash: text('token_hash').primaryKey(),
    /** Public id, for the user's list of devices. Grants nothing. */
    id: text('id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Such as `Firefox on Windows`; empty if unknown. */
    device: text('device').notNull(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** The last authentication. */
    signedInAt: integer('signed_in_at').notNull(),
    /** Precise to the hour, to save writes. */
    lastSeenAt: integer('last_seen_at').notNull(),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
);

export const emailTokens = sqliteTable(
  'email_tokens',
  {
    /** SHA-256 (hex). */
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', {
      enum: ['confirm', 'reset-password', 'change-email', 'cancel-email-change'],
    }).notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The password that a confirmation link confirms, as an argon2id string. */
    passwordHash: text('password_hash'),
    /** For links that change the email. */
    newEmail: text('new_email'),
    /** The link ends with this session. */
    sessionId: text('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('email_tokens_user_id').on(table.userId),
    index('email_tokens_session_id').on(table.sessionId),
  ],
);

export const profiles = sqliteTable('profiles', {
  id: text('id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  username: text('username'),
  /** See `usernameKey` in apps/api. */
  usernameKey: text('username_key').unique(),
  fullName: text('full_name'),
  avatarUrl: text('avatar_url'),
  updatedAt: integer('updated_at').notNull(),
});

/** Google accounts linked to users. */
export const identities = sqliteTable(
  'identities',
  {
    provider: text('provider', { enum: ['google'] }).notNull(),
    /** OpenID Connect Core §5.7, `sub`. */
    subject: text('subject').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index('identities_user_id').on(table.userId),
  ],
);

/** Authorization requests in progress. */
export const oauthAttempts = sqliteTable('oauth_attempts', {
  /** SHA-256 (hex). The browser has the state in a cookie. */
  stateHash: text('state_hash').primaryKey(),
  /** RFC 7636 */
  codeVerifier: text('code_verifier').notNull(),
  /** OpenID Connect Core §3.1.2.1 */
  nonce: text('nonce').notNull(),
  /** The user who signs in again; null for a sign-in. */
  userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: integer('expires_at').notNull(),
});

/** Identities to link once the user has signed in to the account with the same email. */
export const pendingIdentityLinks = sqliteTable('pending_identity_links', {
  /** SHA-256 (hex). The browser has the token in a cookie. */
  tokenHash: text('token_hash').primaryKey(),
  provider: text('provider', { enum: ['google'] }).notNull(),
  subject: text('subject').notNull(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: integer('expires_at').notNull(),
});
