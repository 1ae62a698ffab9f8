import { oauthAttempts } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { hashToken, newToken } from '../../tokens.ts';
import type { Deps } from './deps.ts';
import type { OAuthAttempt } from './provider.ts';

/** How long somebody may stay on the provider's pages. */
export const attemptLifetime = 10 * 60 * 1_000;

/** A attempt that came back. */
export interface ReturnedAttempt extends Pick<OAuthAttempt, 'codeVerifier' | 'nonce'> {
  /** Who signs in again; null for a sign-in. */
  userId: string | null;
  startedAt: number;
}

export const newAttempt = (): OAuthAttempt => ({
  state: newToken(),
  codeVerifier: newToken(),
  nonce: newToken(),
});

/** Remembers a attempt that begins. Of its state, which the browser holds, only the hash. */
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

/** Takes a attempt that comes back: of several returns at once one wins. Null when it is over or never was. */
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
  // One that has longer left comes from a clock that was set back since.
  if (!attempt || left <= 0 || left > 2 * attemptLifetime) return null;
  const { codeVerifier, nonce, userId, expiresAt } = attempt;
  return { codeVerifier, nonce, userId, startedAt: expiresAt - attemptLifetime };
}
