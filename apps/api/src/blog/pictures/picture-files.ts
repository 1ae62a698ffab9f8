import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { picturePath } from '@app/contract/blog/pictures';
import type { PictureImages } from '../../images/resize-picture.ts';
import { replaceFiles, syncFolders } from '../../publishing/atomic-files.ts';
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

export type PictureFiles = ReturnType<typeof createPictureFiles>;

/** uploads/pictures/{id}/{width}x{height}.avif and .webp */
export function createPictureFiles(dataDir: string) {
  const root = join(dataDir, pictureFolder);
  const folderOf = (id: string): string => join(root, id);

  return {
    /** Flushed to the disk, so that a row that refers to them is right after a power cut, too. */
    async write(id: string, { images }: PictureImages): Promise<void> {
      await mkdir(folderOf(id), { recursive: true });
      await replaceFiles(
        new Map(
          images.map(({ width, height, format, bytes }) => [
            join(folderOf(id), `${width}x${height}.${format}`),
            bytes,
          ]),
        ),
      );
      await syncFolders([root]);
    },

    /** Null if the name is invalid or the file is missing. */
    async read(id: string, name: string): Promise<Buffer | null> {
      if (!idPattern.test(id) || !namePattern.test(name)) return null;
      return unlessMissing(readFile(join(folderOf(id), name)), null);
    },

    remove: (id: string): Promise<void> => rm(folderOf(id), { recursive: true, force: true }),

    /** Into the trash, which the cleanup of avatars empties. @param now in milliseconds */
    async discard(id: string, now: number): Promise<void> {
      const day = new Date(now).toISOString().slice(0, 10);
      const target = join(dataDir, 'trash', day, 'pictures');
      await mkdir(target, { recursive: true, mode: 0o700 });
      await unlessMissing(rename(folderOf(id), join(target, id)), undefined);
    },

    /** Of all pictures with files. */
    ids: async (): Promise<string[]> =>
      (await unlessMissing(readdir(root), [])).filter((name) => idPattern.test(name)),
  };
}

/** The largest WebP file of a picture, in `read`. */
export const largestFile = (picture: Parameters<typeof picturePath>[0]): string =>
  picturePath(picture).split('/').at(-1) ?? '';
