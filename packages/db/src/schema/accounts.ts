import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
    /** SHA-256 (hex) of the session token in the cookie. */
    tokenHash: text('token_hash').primaryKey(),
    /** Public id, for the user's list of devices. Grants nothing. */
    id: text('id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The browser and the system that it began on, for that list: Firefox on Windows. Empty when not known. */
    device: text('device').notNull(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When the person last proved who they are; some changes ask for that anew. */
    signedInAt: integer('signed_in_at').notNull(),
    /** Kept to the hour: a row is not written with every request. */
    lastSeenAt: integer('last_seen_at').notNull(),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
);

export const emailTokens = sqliteTable(
  'email_tokens',
  {
    /** SHA-256 (hex) of the token in the mailed link. */
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', {
      enum: ['confirm', 'reset-password', 'change-email', 'cancel-email-change'],
    }).notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The password that was chosen with the sign-up this link belongs to, as its argon2id string. */
    passwordHash: text('password_hash'),
    /** The address that the account has once the link is followed; null where it keeps its own. */
    newEmail: text('new_email'),
    /** The session that asked for another address: when it ends, the link goes with it. */
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
  /** What no other username may look like: see `usernameKey` in api/src/profile. */
  usernameKey: text('username_key').unique(),
  fullName: text('full_name'),
  avatarUrl: text('avatar_url'),
  updatedAt: integer('updated_at').notNull(),
});

/** Accounts elsewhere that sign in here. */
export const identities = sqliteTable(
  'identities',
  {
    provider: text('provider', { enum: ['google'] }).notNull(),
    /** What the provider calls the person for good (OpenID Connect Core §5.7, `sub`); addresses change. */
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

/** Visits to a provider's sign-in page that are underway. A row goes when its visitor comes back. */
export const oauthAttempts = sqliteTable('oauth_attempts', {
  /** SHA-256 (hex) of the state, which the visitor's browser holds as a cookie. */
  stateHash: text('state_hash').primaryKey(),
  /** RFC 7636 */
  codeVerifier: text('code_verifier').notNull(),
  /** OpenID Connect Core §3.1.2.1 */
  nonce: text('nonce').notNull(),
  /** Who signs in again, for a change that asks for it; null for a sign-in. */
  userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: integer('expires_at').notNull(),
});

/** Accounts elsewhere with the address of an account here: linked once their visitor proves that it is theirs. */
export const pendingIdentityLinks = sqliteTable('pending_identity_links', {
  /** SHA-256 (hex) of the token in the visitor's cookie. */
  tokenHash: text('token_hash').primaryKey(),
  provider: text('provider', { enum: ['google'] }).notNull(),
  subject: text('subject').notNull(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: integer('expires_at').notNull(),
});
