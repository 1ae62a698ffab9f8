import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeFiles, replaceFiles } from '../../publishing/atomic-files.ts';
import { createAvatarTrash } from './avatar-trash.ts';
import type { Pictures } from './crop-to-square.ts';
import { unlessMissing } from './unless-missing.ts';

/** Where a person's pictures lie, below DATA_DIR and in their address. */
const place = 'uploads/avatars';

/** A picture's name tells when it came, in milliseconds since 1970. The small one is 96 px wide. */
const namePattern = /^avatar-(\d{1,16})(-96)?\.webp$/;
/** The id of an account, in tests a plain name. */
const ownerPattern = /^[\w-]{1,64}$/;

export const avatarUrlOf = (userId: string, time: number): string =>
  `/${place}/${userId}/avatar-${time}.webp`;

/** When the picture at an address came; null when the address is none of ours. */
export const timeOf = (avatarUrl: string | null): number | null => {
  const time = namePattern.exec(avatarUrl?.split('/').at(-1) ?? '')?.[1];
  return time === undefined ? null : Number(time);
};

/** Whether this is where a picture may be, in DATA_DIR. */
export function isAvatarPath(path: string): boolean {
  const [userId = '', name = ''] = path.split('/').slice(-2);
  return (
    path === `${place}/${userId}/${name}` && ownerPattern.test(userId) && namePattern.test(name)
  );
}

export type AvatarFiles = ReturnType<typeof createAvatarFiles>;

/**
 * The pictures on the disk: uploads/avatars/{userId}/avatar-{time}.webp and avatar-{time}-96.webp.
 * What no profile names goes to the trash; only what an account leaves is deleted at once.
 */
export function createAvatarFiles(dataDir: string) {
  const root = join(dataDir, place);
  const trash = createAvatarTrash(dataDir);
  const folderOf = (userId: string): string => join(root, userId);
  const filesAt = (userId: string, time: number): [string, string] => [
    join(folderOf(userId), `avatar-${time}.webp`),
    join(folderOf(userId), `avatar-${time}-96.webp`),
  ];

  /** When each of somebody's pictures came. */
  async function timesOf(userId: string): Promise<number[]> {
    const names = await namesOf(userId);
    return [...new Set(names.flatMap((name) => timeOf(name) ?? []))];
  }

  const namesOf = (userId: string): Promise<string[]> =>
    unlessMissing(readdir(folderOf(userId)), []);

  return {
    /** Makes the folder when it is missing. */
    async prepare(): Promise<void> {
      await mkdir(root, { recursive: true });
    },

    timesOf,

    async write(userId: string, time: number, { large, small }: Pictures): Promise<void> {
      const [largeFile, smallFile] = filesAt(userId, time);
      await replaceFiles(new Map([[largeFile, large] as const, [smallFile, small] as const]));
    },

    /** A picture by the end of its address; null when there is none, or when that is no name of ours. */
    async read(userId: string, name: string): Promise<Buffer | null> {
      if (!ownerPattern.test(userId) || !namePattern.test(name)) return null;
      return unlessMissing(readFile(join(folderOf(userId), name)), null);
    },

    /** Moves pictures to the trash. @param now milliseconds since 1970, here and below */
    async discard(userId: string, times: readonly number[], now: number): Promise<void> {
      const names = times.flatMap((time) => filesAt(userId, time)).map((file) => basename(file));
      await trash.add(folderOf(userId), userId, names, now);
    },

    /**
     * Leaves a person the picture at the address: from the trash where it is there. All others go
     * to the trash; files that were never written to their end are deleted.
     */
    async keepOnly(userId: string, avatarUrl: string | null, now: number): Promise<void> {
      const time = timeOf(avatarUrl);
      const kept = time === null ? [] : filesAt(userId, time).map((file) => basename(file));
      const names = await namesOf(userId);
      for (const name of kept) {
        if (names.includes(name)) continue;
        const file = await trash.find(userId, name);
        if (file === null) continue;
        await mkdir(folderOf(userId), { recursive: true });
        await rename(file, join(folderOf(userId), name));
      }
      const halfWritten = names.filter((name) => name.startsWith('.new-'));
      await removeFiles(halfWritten.map((name) => join(folderOf(userId), name)));
      const others = names.filter((name) => !kept.includes(name) && !halfWritten.includes(name));
      await trash.add(folderOf(userId), userId, others, now);
      if (time === null) await unlessMissing(rmdir(folderOf(userId)), undefined);
    },

    /** Deletes all that is a person's, in the trash too. */
    async removeAll(userId: string): Promise<void> {
      await rm(folderOf(userId), { recursive: true, force: true });
      await trash.removeAll(userId);
    },

    /**
     * The file of a name in an address, wherever it is: a backup copies what the database named
     * when it began. Null when it is gone.
     */
    async find(userId: string, name: string): Promise<string | null> {
      if (!ownerPattern.test(userId) || !namePattern.test(name)) return null;
      if ((await namesOf(userId)).includes(name)) return join(folderOf(userId), name);
      return trash.find(userId, name);
    },

    emptyTrash: trash.empty,

    /** Whose pictures there are, in the trash too. */
    async owners(): Promise<string[]> {
      const present = await unlessMissing(readdir(root), []);
      return [...(await trash.owners()).union(new Set(present))];
    },
  };
}
