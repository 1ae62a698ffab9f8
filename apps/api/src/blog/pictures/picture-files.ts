import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { picturePath } from '@app/contract/blog/pictures';
import type { PictureImages } from '../../images/resize-picture.ts';
import { replaceFiles, syncNow } from '../../publishing/atomic-files.ts';
import { moveNow } from '../../publishing/move.ts';
import { unlessMissing } from '../../unless-missing.ts';

/** In DATA_DIR. Its files have the same names as in URLs below /pictures. */
const pictureFolder = 'uploads/pictures';

const idPattern = /^[\da-f]{24}$/;
const namePattern = /^\d{1,4}x\d{1,4}\.(?:avif|webp)$/;

/** The path in DATA_DIR of a file's URL path. */
export const pictureFileOf = (url: string): string => `uploads${url}`;

export function isPictureFile(path: string): boolean {
  const [id = '', name = ''] = path.split('/').slice(-2);
  return path === `${pictureFolder}/${id}/${name}` && idPattern.test(id) && namePattern.test(name);
}

/** Not an id, so it is never served. */
const stagedPrefix = '.new-';

interface StagedPicture {
  commit(): void;
  discard(): Promise<void>;
}

export type PictureFiles = ReturnType<typeof createPictureFiles>;

/** uploads/pictures/{id}/{width}x{height}.avif and .webp */
export function createPictureFiles(dataDir: string) {
  const root = join(dataDir, pictureFolder);
  const folderOf = (id: string): string => join(root, id);

  return {
    /**
     * Writes a picture's files into a folder that the cleanup ignores, and flushes them to the disk.
     * `commit` renames it in the transaction that inserts its row; otherwise `discard` it.
     */
    async stage(id: string, { images }: PictureImages): Promise<StagedPicture> {
      await mkdir(root, { recursive: true });
      const folder = await mkdtemp(join(root, stagedPrefix));
      const files = images.map(
        ({ width, height, format, bytes }) =>
          [join(folder, `${width}x${height}.${format}`), bytes] as const,
      );
      await replaceFiles(new Map(files));
      return {
        commit(): void {
          // Of a transaction that was not committed.
          rmSync(folderOf(id), { recursive: true, force: true });
          renameSync(folder, folderOf(id));
          // A row that refers to them is right after a power cut, too.
          syncNow(root);
        },
        discard: () => rm(folder, { recursive: true, force: true }),
      };
    },

    /** Null if the name is invalid or the file is missing. */
    async read(id: string, name: string): Promise<Buffer | null> {
      if (!idPattern.test(id) || !namePattern.test(name)) return null;
      return unlessMissing(readFile(join(folderOf(id), name)), null);
    },

    remove: (id: string): Promise<void> => rm(folderOf(id), { recursive: true, force: true }),

    /** Into the trash, which the cleanup of avatars empties. @param now in milliseconds */
    discard(id: string, now: number): void {
      const day = new Date(now).toISOString().slice(0, 10);
      const target = join(dataDir, 'trash', day, 'pictures');
      mkdirSync(target, { recursive: true, mode: 0o700 });
      // An import may have brought it back since.
      rmSync(join(target, id), { recursive: true, force: true });
      moveNow(folderOf(id), join(target, id));
    },

    /** Deletes what `stage` wrote and a crash has left. */
    async removeStaged(before: number): Promise<void> {
      for (const name of await unlessMissing(readdir(root), [])) {
        if (!name.startsWith(stagedPrefix)) continue;
        const found = await unlessMissing(stat(join(root, name)), null);
        if (found && found.mtimeMs < before) {
          await rm(join(root, name), { recursive: true, force: true });
        }
      }
    },

    /** Of all pictures with files. */
    ids: async (): Promise<string[]> =>
      (await unlessMissing(readdir(root), [])).filter((name) => idPattern.test(name)),
  };
}

/** The largest WebP file of a picture, in `read`. */
export const largestFile = (picture: Parameters<typeof picturePath>[0]): string =>
  picturePath(picture).split('/').at(-1) ?? '';
