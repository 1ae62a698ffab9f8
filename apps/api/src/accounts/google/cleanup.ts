import { deleteInBatches } from '@app/db/delete-in-batches';
import { oauthAttempts, pendingIdentityLinks } from '@app/db/schema/accounts';
import { notBetween } from 'drizzle-orm';
import type { Deps } from './deps.ts';
import { attemptLifetime } from './oauth-attempts.ts';
import { linkLifetime } from './pending-links.ts';

export async function deleteUnfinished({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  // Attempts that expire later than possible were stored while the clock was ahead.
  await deleteInBatches(
    db,
    oauthAttempts,
    notBetween(oauthAttempts.expiresAt, now + 1, now + 2 * attemptLifetime),
  );
  await deleteInBatches(
    db,
    pendingIdentityLinks,
    notBetween(pendingIdentityLinks.expiresAt, now + 1, now + 2 * linkLifetime),
  );
}
