import { deleteInBatches } from '@app/db/delete-in-batches';
import { outbox } from '@app/db/schema/email';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, lte } from 'drizzle-orm';
import { deleteOldRequests } from './budget.ts';
import type { Deps } from './deps.ts';

/** How long the row of a mail that is out is kept, for those who look for it. The privacy policy says so. */
const sentLifetime = 30 * 24 * 60 * 60 * 1_000;

/** Forgets mails that went out long ago, and requests that count no more. Those that were given up stay for a person to look at. */
export async function deleteSent({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await writeTransaction(db, (tx) => deleteOldRequests(tx, clock.now()));
  const isLongOut = and(eq(outbox.state, 'sent'), lte(outbox.sentAt, clock.now() - sentLifetime));
  await deleteInBatches(db, outbox, isLongOut);
}
