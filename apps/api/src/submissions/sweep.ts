import { rateLimits, submissionKeys } from '@app/db/schema/submissions';
import { lte } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { deleteOldEntries } from './kept-entries.ts';
import { keyLifetime } from './submit.ts';

/** Forgets what is over: keys, limits, and what was kept for people who did not come back. */
export async function deleteExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db.delete(submissionKeys).where(lte(submissionKeys.createdAt, now - keyLifetime));
  await db.delete(rateLimits).where(lte(rateLimits.expire, now));
  await deleteOldEntries({ db, clock });
}
