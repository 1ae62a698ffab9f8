import { oauthAttempts } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { hashToken, newToken } from '../../tokens.ts';
import type { Deps } from './deps.ts';
import type { OAuthAttempt } from './provider.ts';

export const attemptLifetime = 10 * 60 * 1_000;

interface ReturnedAttempt extends Pick<OAuthAttempt, 'codeVerifier' | 'nonce'> {
  /** The user who signs in again; null for an ordinary sign-in. */
  userId: string | null;
  startedAt: number;
}

export const newAttempt = (): OAuthAttempt => ({
  state: newToken(),
  codeVerifier: newToken(),
  nonce: newToken(),
});

/** Stores a new attempt, with only the hash of its state. */
export async function storeAttempt(
  { db, clock }: Deps,
  { state, codeVerifier, nonce }: OAuthAttempt,
  userId: string | null,
): Promise<void> {
  const expiresAt = clock.now() + attemptLifetime;
  await writeTransaction(db, (tx) =>
    tx
      .insert(oauthAttempts)
      .values({ stateHash: hashToken(state), codeVerifier, nonce, userId, expiresAt })
      .run(),
  );
}

/** Deletes and returns an attempt, so each works only once. Null if it is unknown or expired. */
export async function takeAttempt(
  { db, clock }: Deps,
  state: string,
): Promise<ReturnedAttempt | null> {
  const attempt = await writeTransaction(db, (tx) =>
    tx
      .delete(oauthAttempts)
      .where(eq(oauthAttempts.stateHash, hashToken(state)))
      .returning()
      .get(),
  );
  const left = (attempt?.expiresAt ?? 0) - clock.now();
  // More time left than possible: the clock was set back.
  if (!attempt || left <= 0 || left > 2 * attemptLifetime) return null;
  const { codeVerifier, nonce, userId, expiresAt } = attempt;
  return { codeVerifier, nonce, userId, startedAt: expiresAt - attemptLifetime };
}
