import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { picturePath } from '@app/contract/blog/pictures';
import type { Database, Transaction } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { replaceFiles, syncNow } from '../../files/atomic-files.ts';
import { moveNow } from '../../files/move.ts';
import { trashDayOf } from '../../files/trash-days.ts';
import type { PictureImages } from '../../images/resize-picture.ts';
import { unlessMissing } from '../../unless-missing.ts';

/** In DATA_DIR or in a bucket. The files have the same names as in URLs below /pictures. */
export const pictureFolder = 'uploads/pictures';

const idPattern = /^[\da-f]{24}$/;
const namePattern = /^\d{1,4}x\d{1,4}\.(?:avif|webp)$/;

export const isPictureId = (text: string): boolean => idPattern.test(text);

/** The path in DATA_DIR, or the key in a bucket, for the URL path of a file. */
export const pictureFileOf = (url: string): string => `uploads${url}`;

export const isPictureName = (id: string, name: string): boolean =>
  idPattern.test(id) && namePattern.test(name);

export function isPictureFile(path: string): boolean {
  const [id = '', name = ''] = path.split('/').slice(-2);
  return path === `${pictureFolder}/${id}/${name}` && isPictureName(id, name);
}

/** Not part of a valid id, so these folders are never served. */
const stagedPrefix = '.new-';

interface StagedPicture {
  /** Call in the transaction that inserts the row. */
  commit(): void;
  /** Call at the end, whether committed or not. */
  discard(): Promise<void>;
}

export interface PictureFiles {
  /** Stores a picture's files. The cleanup leaves them alone until they are committed. */
  stage(id: string, images: PictureImages): Promise<StagedPicture>;
  /** Null if the name is invalid or the file is missing. */
  read(id: string, name: string): Promise<Buffer | null>;
  remove(id: string): Promise<void>;
  /** Moves the files to the trash. @param now in milliseconds, here and below */
  discard(id: string, now: number): Promise<void>;
  /** Deletes the files of these pictures from the trash. */
  removeTrashed(ids: readonly string[]): Promise<void>;
  /** Ids of pictures whose files may be left over from a crash. */
  candidates(): Promise<string[]>;
  /** @param find returns the ids without a row; called while the database is locked for writing */
  discardOrphans(db: Database, find: (tx: Transaction) => string[], now: number): Promise<void>;
  /** Deletes staged files left by a crash. @param before their time of writing, in milliseconds */
  removeStaged(before: number): Promise<void>;
}

/** Stores {pictureFolder}/{id}/{width}x{height}.avif and .webp in DATA_DIR. */
export function createPictureFiles(dataDir: string): PictureFiles {
  const root = join(dataDir, pictureFolder);
  const folderOf = (id: string): string => join(root, id);

  /** Synchronous, for transactions. */
  function discardNow(id: string, now: number): void {
    const day = trashDayOf(now);
    const target = join(dataDir, 'trash', day, 'pictures');
    mkdirSync(target, { recursive: true, mode: 0o700 });
    // Exists if an import has restored the picture since it was last deleted.
    rmSync(join(target, id), { recursive: true, force: true });
    moveNow(folderOf(id), join(target, id));
  }

  return {
    /**
     * Writes to a folder that the cleanup ignores, and flushes it to the disk. `commit` renames it
     * while holding the lock that `discardOrphans` needs, so no cleanup, in this process or
     * another, sees the files without their row.
     */
    async stage(id: string, { images }: PictureImages): Promise<StagedPicture> {
      await mkdir(root, { recursive: true });
      const folder = await mkdtemp(join(root, stagedPrefix));
      const files = images.map(
        ({ width, height, format, bytes }) =>
          [join(folder, `${width}x${height}.${format}`), bytes] as const,
      );
      const discard = () => rm(folder, { recursive: true, force: true });
      try {
        await replaceFiles(new Map(files));
      } catch (error) {
        await discard();
        throw error;
      }
      return {
        commit(): void {
          // Left by a transaction that was not committed.
          rmSync(folderOf(id), { recursive: true, force: true });
          renameSync(folder, folderOf(id));
          // After a power failure, the row must not refer to missing files.
          syncNow(root);
        },
        discard,
      };
    },

    async read(id: string, name: string): Promise<Buffer | null> {
      if (!isPictureName(id, name)) return null;
      return unlessMissing(readFile(join(folderOf(id), name)), null);
    },

    remove: (id: string): Promise<void> => rm(folderOf(id), { recursive: true, force: true }),

    async discard(id, now) {
      discardNow(id, now);
    },

    async removeTrashed(ids) {
      const trash = join(dataDir, 'trash');
      const names = await unlessMissing(readdir(trash), []);
      for (const day of names.filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))) {
        for (const id of ids) {
          await rm(join(trash, day, 'pictures', id), { recursive: true, force: true });
        }
      }
    },

    candidates: async () =>
      (await unlessMissing(readdir(root), [])).filter((name) => idPattern.test(name)),

    async discardOrphans(db, find, now) {
      await writeTransaction(db, (tx) => {
        for (const id of find(tx)) discardNow(id, now);
      });
    },

    async removeStaged(before: number): Promise<void> {
      for (const name of await unlessMissing(readdir(root), [])) {
        if (!name.startsWith(stagedPrefix)) continue;
        const found = await unlessMissing(stat(join(root, name)), null);
        if (found && found.mtimeMs < before) {
          await rm(join(root, name), { recursive: true, force: true });
        }
      }
    },
  };
}

/** The name of a picture's largest WebP file, for `read`. */
export const largestFile = (picture: Parameters<typeof picturePath>[0]): string =>
  picturePath(picture).split('/').at(-1) ?? '';
