import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFiles, replaceFiles } from '../publishing/atomic-files.ts';
import type { Pictures } from './squaring.ts';

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

export type AvatarFiles = ReturnType<typeof createAvatarFiles>;

/** The pictures on the disk: uploads/avatars/{userId}/avatar-{time}.webp and avatar-{time}-96.webp. */
export function createAvatarFiles(dataDir: string) {
  const root = join(dataDir, place);
  const folderOf = (userId: string): string => join(root, userId);
  const filesAt = (userId: string, time: number): [string, string] => [
    join(folderOf(userId), `avatar-${time}.webp`),
    join(folderOf(userId), `avatar-${time}-96.webp`),
  ];

  /** When each of somebody's pictures came. */
  async function timesOf(userId: string): Promise<number[]> {
    const names = await unlessMissing(readdir(folderOf(userId)), []);
    return [...new Set(names.flatMap((name) => timeOf(name) ?? []))];
  }

  const removeAll = (userId: string): Promise<void> =>
    rm(folderOf(userId), { recursive: true, force: true });

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

    async remove(userId: string, times: readonly number[]): Promise<void> {
      await removeFiles(times.flatMap((time) => filesAt(userId, time)));
    },

    /** Removes all that is somebody's but the picture at the address, half-written files included. */
    async keepOnly(userId: string, avatarUrl: string | null): Promise<void> {
      const time = timeOf(avatarUrl);
      if (time === null) return removeAll(userId);
      const names = await unlessMissing(readdir(folderOf(userId)), []);
      const others = names.map((name) => join(folderOf(userId), name));
      const kept = filesAt(userId, time);
      await removeFiles(others.filter((file) => !kept.includes(file)));
    },

    removeAll,

    /** Whose pictures there are. */
    owners: (): Promise<string[]> => unlessMissing(readdir(root), []),
  };
}

async function unlessMissing<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return otherwise;
    throw error;
  }
}
