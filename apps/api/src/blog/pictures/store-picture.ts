import type { Database, Transaction } from '@app/db/open';
import { pictures } from '@app/db/schema/pictures';
import { writeTransaction } from '@app/db/write-transaction';
import type { PictureImages } from '../../images/resize-picture.ts';
import type { PictureFiles } from './picture-files.ts';

export type PictureRow = typeof pictures.$inferSelect;

interface NewPicture extends Pick<PictureRow, 'id' | 'userId' | 'alt'> {
  images: PictureImages;
  now: number;
}

/**
 * Stores a picture's files, then its row. No cleanup, in this process or another, removes files
 * whose row is about to be inserted; each kind of `PictureFiles` explains how.
 * @param refuse returns a refusal, or null to insert the row
 */
export async function storePicture<Refusal extends { refused: string } = never>(
  { db, files }: { db: Database; files: PictureFiles },
  { images, now, ...picture }: NewPicture,
  refuse: (tx: Transaction, row: PictureRow) => Refusal | null = () => null,
): Promise<PictureRow | Refusal> {
  const { width, height } = images;
  const bytes = images.images.reduce((sum, image) => sum + image.bytes.length, 0);
  const row = { ...picture, width, height, bytes, createdAt: now, unusedSince: now };
  const staged = await files.stage(row.id, images);
  try {
    return await writeTransaction(db, (tx) => {
      const refusal = refuse(tx, row);
      if (refusal) return refusal;
      // Another import may have stored it in the meantime.
      const { changes } = tx.insert(pictures).values(row).onConflictDoNothing().run();
      if (changes > 0) staged.commit();
      return row;
    });
  } finally {
    await staged.discard();
  }
}
