import { day } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import { accountDeletions, emailTokens, users } from '@app/db/schema/accounts';
import { and, isNull, lte, notInArray } from 'drizzle-orm';
import type { Deps } from './deps.ts';

/** Links work for a day at most. While they are stored, a confirmation can be sent again. */
const retentionMilliseconds = 30 * day;

/**
 * Deletes old links, and unconfirmed accounts without a link: the address may belong to someone who
 * never signed up. These accounts have no content, because nobody can sign in to them.
 */
export async function deleteUnconfirmedAccounts({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await deleteInBatches(
    db,
    emailTokens,
    lte(emailTokens.createdAt, clock.now() - retentionMilliseconds),
  );
  const isAbandoned = and(
    isNull(users.emailConfirmedAt),
    notInArray(users.id, db.select({ id: emailTokens.userId }).from(emailTokens)),
    // Accounts that are being deleted have their own cleanup.
    notInArray(users.id, db.select({ id: accountDeletions.userId }).from(accountDeletions)),
  );
  await deleteInBatches(db, users, isAbandoned);
}
