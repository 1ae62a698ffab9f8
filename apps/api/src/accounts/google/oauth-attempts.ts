import { oauthAttempts } from '@app/db/schema/accounts';
import { writeTransaction } from '@app/db/write-transaction';
import { eq } from 'drizzle-orm';
import { hashToken, newToken } from '../../tokens.ts';
import type { Deps } from './deps.ts';
import type { Visit } from './provider.ts';

/** How long somebody may stay on the provider's pages. */
export const visitLifetime = 10 * 60 * 1_000;

/** A visit that came back. */
export interface ReturnedVisit extends Pick<Visit, 'codeVerifier' | 'nonce'> {
  /** Who signs in again; null for a sign-in. */
  userId: string | null;
  startedAt: number;
}

export const newVisit = (): Visit => ({
  state: newToken(),
  codeVerifier: newToken(),
  nonce: newToken(),
});

/** Remembers a visit that begins. Of its state, which the browser holds, only the hash. */
export async function rememberVisit(
  { db, clock }: Deps,
  { state, codeVerifier, nonce }: Visit,
  userId: string | null,
): Promise<void> {
  const expiresAt = clock.now() + visitLifetime;
  await writeTransaction(db, (tx) =>
    tx
      .insert(oauthAttempts)
      .values({ stateHash: hashToken(state), codeVerifier, nonce, userId, expiresAt })
      .run(),
  );
}

/** Takes a visit that comes back: of several returns at once one wins. Null when it is over or never was. */
export async function takeVisit({ db, clock }: Deps, state: string): Promise<ReturnedVisit | null> {
  const visit = await writeTransaction(db, (tx) =>
    tx
      .delete(oauthAttempts)
      .where(eq(oauthAttempts.stateHash, hashToken(state)))
      .returning()
      .get(),
  );
  const left = (visit?.expiresAt ?? 0) - clock.now();
  // One that has longer left comes from a clock that was set back since.
  if (!visit || left <= 0 || left > 2 * visitLifetime) return null;
  const { codeVerifier, nonce, userId, expiresAt } = visit;
  return { codeVerifier, nonce, userId, startedAt: expiresAt - visitLifetime };
}
