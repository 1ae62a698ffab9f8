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
 * Stores a picture's files, and then its row. The cleanup, of this process or another, removes no
 * files whose row is about to be inserted: see the two kinds of `PictureFiles`.
 * @param refuse may refuse the row
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
      // Another import may have stored it meanwhile.
      const { changes } = tx.insert(pictures).values(row).onConflictDoNothing().run();
      if (changes > 0) staged.commit();
      return row;
    });
  } finally {
    await staged.discard();
  }
}
