import { oauthAttempts, pendingLinks } from '@app/db/schema/accounts';
import { lte } from 'drizzle-orm';
import type { Deps } from '../deps.ts';

/** Forgets visits to Google that did not come back, and links that nobody proved. */
export async function deleteUnfinished({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db.delete(oauthAttempts).where(lte(oauthAttempts.expiresAt, now));
  await db.delete(pendingLinks).where(lte(pendingLinks.expiresAt, now));
}
