import type { Database } from '@app/db/open';
import { emailTokens, users } from '@app/db/schema/accounts';
import { serverSecrets } from '@app/db/schema/submissions';
import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { hashToken, newToken } from '../tokens.ts';

type Purpose = (typeof emailTokens.$inferSelect)['purpose'];

interface Link {
  purpose: Purpose;
  /** The account it is for, as a condition on `users`. Where there is none, nothing is inserted. */
  account: SQL | undefined;
  /** In milliseconds. */
  lifetime: number;
  /** The password that following the link makes the account's own, as its argon2id string. */
  passwordHash?: string | null;
}

/** A new token for a mailed link, and the statement that stores its hash. */
export function newLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { purpose, account, lifetime, passwordHash = null }: Link,
) {
  const token = newToken();
  const now = clock.now();
  const row = db
    .select({
      tokenHash: sql<string>`${hashToken(token)}`.as('token_hash'),
      purpose: sql<Purpose>`${purpose}`.as('purpose'),
      userId: users.id,
      passwordHash: sql<string | null>`${passwordHash}`.as('password_hash'),
      newEmail: sql<string | null>`null`.as('new_email'),
      expiresAt: sql<number>`${now + lifetime}`.as('expires_at'),
      usedAt: sql<number | null>`null`.as('used_at'),
      createdAt: sql<number>`${now}`.as('created_at'),
    })
    .from(users)
    .where(account);
  return { token, insertToken: db.insert(emailTokens).select(row) };
}

/** That a link still works, as a condition on `email_tokens`. */
export const isAlive = (tokenHash: string, purpose: Purpose, now: number) =>
  and(
    eq(emailTokens.tokenHash, tokenHash),
    eq(emailTokens.purpose, purpose),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, now),
  );

/** The account that a link was mailed for, as long as it works: for statements that a dead link must not let change anything. */
export const ownerOfLink = (db: Database, tokenHash: string, purpose: Purpose, now: number) =>
  sql`(${db
    .select({ id: emailTokens.userId })
    .from(emailTokens)
    .where(isAlive(tokenHash, purpose, now))})`;

/** Kills a link, and all others of its account. The last statement of what the link lets happen. */
export const useUpLinks = (db: Database, owner: SQL, now: number) =>
  db.update(emailTokens).set({ usedAt: now }).where(eq(emailTokens.userId, owner));

/**
 * A write that means nothing, for the commit of a call that must not tell whether an address is
 * known: with it each commit waits for the disk once, where a clock would show the difference.
 */
export function decoyWrite(db: Database) {
  const value = newToken();
  return db
    .insert(serverSecrets)
    .values({ name: 'decoy', value })
    .onConflictDoUpdate({ target: serverSecrets.name, set: { value } });
}
