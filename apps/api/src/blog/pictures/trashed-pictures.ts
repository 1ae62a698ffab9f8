import { deleteInBatches } from '@app/db/delete-in-batches';
import type { Database, Transaction } from '@app/db/open';
import { trashedPictures } from '@app/db/schema/pictures';
import { count, desc, eq, gt, inArray, lt, or, sum } from 'drizzle-orm';
import { maxTrashTime } from '../../files/trash-days.ts';
import type { Deps } from '../deps.ts';
import type { PictureRow } from './store-picture.ts';

/** Per account. Beyond these, the oldest pictures are deleted before their 30 days are over. */
const maxTrashed = 1_000;
const maxTrashedBytes = 524_288_000;

/** Call in the transaction that deletes the rows. Pictures of deleted accounts have no owner. */
export function addTrashedPictures(tx: Transaction, rows: PictureRow[], now: number): void {
  for (const { id, userId, bytes } of rows) {
    if (userId === null) continue;
    const values = { userId, bytes, trashedAt: now };
    tx.insert(trashedPictures)
      .values({ id, ...values })
      // Exists if an import has restored the picture since it was last deleted.
      .onConflictDoUpdate({ target: trashedPictures.id, set: values })
      .run();
  }
}

export const deleteTrashedPicturesOf = (tx: Transaction, userId: string): string[] =>
  tx
    .delete(trashedPictures)
    .where(eq(trashedPictures.userId, userId))
    .returning({ id: trashedPictures.id })
    .all()
    .map(({ id }) => id);

/** The ids of the oldest pictures of accounts that exceed a limit. */
export function findExcessPictures(db: Database): string[] {
  const { id, userId, bytes, trashedAt } = trashedPictures;
  const owners = db
    .select({ userId })
    .from(trashedPictures)
    .groupBy(userId)
    .having(or(gt(count(), maxTrashed), gt(sum(bytes), maxTrashedBytes)))
    .all();
  return owners.flatMap((owner) => {
    let total = 0;
    return db
      .select({ id, bytes })
      .from(trashedPictures)
      .where(eq(userId, owner.userId))
      .orderBy(desc(trashedAt), desc(id))
      .all()
      .filter((picture, index) => {
        total += picture.bytes;
        return index >= maxTrashed || total > maxTrashedBytes;
      })
      .map((picture) => picture.id);
  });
}

export const deleteTrashedPictures = (db: Database, ids: readonly string[]): Promise<void> =>
  deleteInBatches(db, trashedPictures, inArray(trashedPictures.id, ids));

export const deleteOldTrashedPictures = ({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<void> =>
  deleteInBatches(db, trashedPictures, lt(trashedPictures.trashedAt, clock.now() - maxTrashTime));
