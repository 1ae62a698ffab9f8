import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AvatarImages } from '../../images/crop-to-square.ts';
import { removeFiles, replaceFiles } from '../../publishing/atomic-files.ts';
import { moveNow } from '../../publishing/move.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { createAvatarTrash } from './avatar-trash.ts';

/** In DATA_DIR and in URLs. */
const avatarFolder = 'uploads/avatars';

/** The time of the upload in milliseconds; -96 is 96 px wide. */
const namePattern = /^avatar-(\d{1,16})(-96)?\.webp$/;
const ownerPattern = /^[\w-]{1,64}$/;

export const avatarUrlOf = (userId: string, time: number): string =>
  `/${avatarFolder}/${userId}/avatar-${time}.webp`;

/** The upload time in an avatar's URL; null for other URLs. */
export const uploadTimeOf = (avatarUrl: string | null): number | null => {
  const time = namePattern.exec(avatarUrl?.split('/').at(-1) ?? '')?.[1];
  return time === undefined ? null : Number(time);
};

export function isAvatarPath(path: string): boolean {
  const [userId = '', name = ''] = path.split('/').slice(-2);
  return (
    path === `${avatarFolder}/${userId}/${name}` &&
    ownerPattern.test(userId) &&
    namePattern.test(name)
  );
}

/**
 * uploads/avatars/{userId}/avatar-{time}.webp and avatar-{time}-96.webp. Unused files are moved to
 * the trash; those of a deleted account are deleted at once.
 */
export function createAvatarFiles(dataDir: string) {
  const root = join(dataDir, avatarFolder);
  const trash = createAvatarTrash(dataDir);
  const folderOf = (userId: string): string => join(root, userId);
  const filesAt = (userId: string, time: number): [string, string] => [
    join(folderOf(userId), `avatar-${time}.webp`),
    join(folderOf(userId), `avatar-${time}-96.webp`),
  ];

  async function timesOf(userId: string): Promise<number[]> {
    const names = await namesOf(userId);
    return [...new Set(names.flatMap((name) => uploadTimeOf(name) ?? []))];
  }

  const namesOf = (userId: string): Promise<string[]> =>
    unlessMissing(readdir(folderOf(userId)), []);

  return {
    async prepare(): Promise<void> {
      await mkdir(root, { recursive: true });
    },

    timesOf,

    async write(userId: string, time: number, { large, small }: AvatarImages): Promise<void> {
      const [largeFile, smallFile] = filesAt(userId, time);
      await replaceFiles(new Map([[largeFile, large] as const, [smallFile, small] as const]));
    },

    /** By file name; null if the name is invalid or the file is missing. */
    async read(userId: string, name: string): Promise<Buffer | null> {
      if (!ownerPattern.test(userId) || !namePattern.test(name)) return null;
      return unlessMissing(readFile(join(folderOf(userId), name)), null);
    },

    /** Moves avatars to the trash. @param now in milliseconds, here and below */
    async discard(userId: string, times: readonly number[], now: number): Promise<void> {
      const names = times.flatMap((time) => filesAt(userId, time)).map((file) => basename(file));
      await trash.add(folderOf(userId), userId, names, now);
    },

    /** Restores this avatar from the trash if needed, and moves all others to the trash. */
    async keepOnly(userId: string, avatarUrl: string | null, now: number): Promise<void> {
      const time = uploadTimeOf(avatarUrl);
      const wanted = time === null ? [] : filesAt(userId, time).map((file) => basename(file));
      const names = await namesOf(userId);
      for (const name of wanted) {
        if (names.includes(name)) continue;
        const file = await trash.find(userId, name);
        if (file === null) continue;
        await mkdir(folderOf(userId), { recursive: true });
        moveNow(file, join(folderOf(userId), name));
      }
      const temporary = names.filter((name) => name.startsWith('.new-'));
      await removeFiles(temporary.map((name) => join(folderOf(userId), name)));
      const others = names.filter((name) => !wanted.includes(name) && !temporary.includes(name));
      await trash.add(folderOf(userId), userId, others, now);
      if (time === null) await unlessMissing(rmdir(folderOf(userId)), undefined);
    },

    async removeAll(userId: string): Promise<void> {
      await rm(folderOf(userId), { recursive: true, force: true });
      await trash.removeAll(userId);
    },

    /** In the trash too: a backup may refer to an avatar that was replaced meanwhile. */
    async find(userId: string, name: string): Promise<string | null> {
      if (!ownerPattern.test(userId) || !namePattern.test(name)) return null;
      if ((await namesOf(userId)).includes(name)) return join(folderOf(userId), name);
      return trash.find(userId, name);
    },

    emptyTrash: trash.empty,

    /** Users with avatars, in the trash too. */
    async owners(): Promise<string[]> {
      const present = await unlessMissing(readdir(root), []);
      return [...(await trash.owners()).union(new Set(present))];
    },
  };
}
