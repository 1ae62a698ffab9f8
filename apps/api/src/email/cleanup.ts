import { day } from '@app/contract/durations';
import { deleteInBatches } from '@app/db/delete-in-batches';
import { outbox } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, lte } from 'drizzle-orm';
import { deleteOldRequests } from './budget.ts';
import type { Deps } from './deps.ts';

/** As the privacy policy says. */
const sentLifetime = 30 * day;

/** Deletes old sent emails and email counts. Failed emails remain for review. */
export async function deleteSent({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await writeTransaction(db, (tx) => deleteOldRequests(tx, clock.now()));
  const isExpired = and(eq(outbox.state, 'sent'), lte(outbox.sentAt, clock.now() - sentLifetime));
  await deleteInBatches(db, outbox, isExpired);
}
