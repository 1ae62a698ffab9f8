import { writeTransaction } from '@app/db/write-transaction';
import type { Clock } from '../../clock.ts';
import { trashDayOf } from '../../files/trash-days.ts';
import type { Bucket } from '../../s3/bucket.ts';
import { minUnusedAge, startUpload } from '../../s3/uploads-in-progress.ts';
import { isPictureId, isPictureName, type PictureFiles, pictureFolder } from './picture-files.ts';

const folderOf = (id: string): string => `${pictureFolder}/${id}/`;

/**
 * Stores {pictureFolder}/{id}/{width}x{height}.avif and .webp in a bucket that several servers
 * share. Files get their final names before the row is inserted, so only their age protects an
 * upload in progress from the cleanup.
 */
export function bucketPictureFiles(bucket: Bucket, clock: Pick<Clock, 'now'>): PictureFiles {
  async function keysBelow(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of bucket.list(prefix)) keys.push(key);
    return keys;
  }

  async function moveAll(from: string, to: string): Promise<void> {
    for (const key of await keysBelow(from)) {
      // False if another server has moved it.
      if (await bucket.copy(key, to + key.slice(from.length))) await bucket.remove(key);
    }
  }

  return {
    async stage(id, { images }) {
      const commit = startUpload(clock, 'a picture');
      const keyOf = ({ width, height, format }: (typeof images)[number]): string =>
        `${folderOf(id)}${width}x${height}.${format}`;
      await Promise.all(images.map((image) => bucket.put(keyOf(image), image.bytes)));
      return {
        commit,
        // Left to the cleanup, because another import may have inserted a row for the same files.
        discard: async () => undefined,
      };
    },

    async read(id, name) {
      return isPictureName(id, name) ? bucket.get(folderOf(id) + name) : null;
    },

    async remove(id) {
      for (const key of await keysBelow(folderOf(id))) await bucket.remove(key);
    },

    discard: (id, now) => moveAll(folderOf(id), trashOf(id, now)),

    async removeTrashed(ids) {
      if (ids.length === 0) return;
      const wanted = new Set(ids);
      for (const key of await keysBelow('trash/')) {
        if (wanted.has(trashKey.exec(key)?.[1] ?? '')) await bucket.remove(key);
      }
    },

    async candidates() {
      const ids = new Set<string>();
      const young = new Set<string>();
      for await (const { key, age } of bucket.list(`${pictureFolder}/`)) {
        const id = key.split('/').at(-2) ?? '';
        if (isPictureId(id)) (age > minUnusedAge ? ids : young).add(id);
      }
      return [...ids.difference(young)];
    },

    async discardOrphans(db, find, now) {
      const orphans = await writeTransaction(db, find);
      for (const id of orphans) await this.discard(id, now);
      // An import may have stored the same files again before they were moved, and inserted a row.
      const left = new Set(await writeTransaction(db, find));
      for (const id of orphans) {
        if (!left.has(id)) await moveAll(trashOf(id, now), folderOf(id));
      }
    },

    // Files get their final names at once.
    removeStaged: async () => undefined,
  };
}

const trashKey = /^trash\/[^/]{1,100}\/pictures\/([^/]{1,100})\//;

const trashOf = (id: string, now: number): string => `trash/${trashDayOf(now)}/pictures/${id}/`;
