import { deleteInBatches } from '@app/db/delete-in-batches';
import { oauthAttempts, pendingLinks } from '@app/db/schema/accounts';
import { lte } from 'drizzle-orm';
import type { Deps } from '../deps.ts';

/** Forgets visits to Google that did not come back, and links that nobody proved. */
export async function deleteUnfinished({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await deleteInBatches(db, oauthAttempts, lte(oauthAttempts.expiresAt, now));
  await deleteInBatches(db, pendingLinks, lte(pendingLinks.expiresAt, now));
}
