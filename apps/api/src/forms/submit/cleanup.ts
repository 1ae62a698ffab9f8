import { deleteInBatches } from '@app/db/delete-in-batches';
import { idempotencyKeys } from '@app/db/schema/forms/submit';
import { writeTransaction } from '@app/db/write-transaction';
import { notBetween } from 'drizzle-orm';
import type { Deps } from './deps.ts';
import { deleteExpiredEntries } from './saved-entries.ts';
import { keyLifetime } from './submit.ts';

export async function deleteExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  // Keys from the future were stored while the clock was ahead.
  const isOver = notBetween(idempotencyKeys.createdAt, now - keyLifetime + 1, now + keyLifetime);
  await deleteInBatches(db, idempotencyKeys, isOver);
  await writeTransaction(db, (tx) => deleteExpiredEntries(tx, now));
}
