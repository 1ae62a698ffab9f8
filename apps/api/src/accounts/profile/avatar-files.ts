import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFiles, replaceFiles } from '../../files/atomic-files.ts';
import { moveNow } from '../../files/move.ts';
import type { AvatarImages } from '../../images/crop-to-square.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { createAvatarTrash } from './avatar-trash.ts';

/** The path in DATA_DIR, in a bucket, and in URLs. */
export const avatarFolder = 'uploads/avatars';

/** The number is the upload time in milliseconds. Files with -96 are 96 px wide. */
const namePattern = /^avatar-(\d{1,16})(-96)?\.webp$/;
const ownerPattern = /^[\w-]{1,64}$/;

export const avatarUrlOf = (userId: string, time: number): string =>
  `/${avatarFolder}/${userId}/avatar-${time}.webp`;

/** The upload time in an avatar's URL; null for other URLs. */
export const uploadTimeOf = (avatarUrl: string | null): number | null => {
  const time = namePattern.exec(avatarUrl?.split('/').at(-1) ?? '')?.[1];
  return time === undefined ? null : Number(time);
};

export const isAvatarName = (userId: string, name: string): boolean =>
  ownerPattern.test(userId) && namePattern.test(name);

export function isAvatarPath(path: string): boolean {
  const [userId = '', name = ''] = path.split('/').slice(-2);
  return path === `${avatarFolder}/${userId}/${name}` && isAvatarName(userId, name);
}

/** The file names of both sizes. */
export const avatarNames = (time: number): [string, string] => [
  `avatar-${time}.webp`,
  `avatar-${time}-96.webp`,
];

/** Per user. Beyond that, the oldest are deleted from the trash before their 30 days are over. */
const maxTrashed = 100;

/** @param files paths or keys of a user's avatars in the trash */
export function excessAvatars(files: Iterable<string>): string[] {
  const all = [...files];
  const timeOf = (file: string): number => uploadTimeOf(file) ?? 0;
  const times = [...new Set(all.map(timeOf))].sort((a, b) => b - a);
  const excess = new Set(times.slice(maxTrashed));
  return all.filter((file) => excess.has(timeOf(file)));
}

/** The avatar URL of a profile, or null; undefined if pages may still show another avatar. */
export type WantedAvatar = string | null | undefined;

interface WantedAvatars {
  /** Fast, but may be outdated. */
  peek(userId: string): WantedAvatar;
  /** Never outdated. Called before files are moved. */
  confirm(userId: string): Promise<WantedAvatar>;
}

/** `time` and `times` are upload times. All times are in milliseconds. */
export interface AvatarFiles {
  /** Whether other servers store files in the same bucket, and publish pages that show them. */
  isShared: boolean;
  prepare(): Promise<void>;
  timesOf(userId: string): Promise<number[]>;
  /** @returns a function for the transaction that writes the row; it throws if files may be gone */
  write(userId: string, time: number, images: AvatarImages): Promise<() => void>;
  /** Null if the name is invalid or the file is missing. */
  read(userId: string, name: string): Promise<Buffer | null>;
  /** Deletes an avatar that no row has ever referred to. */
  remove(userId: string, time: number): Promise<void>;
  /** Moves avatars to the trash. */
  discard(userId: string, times: readonly number[], now: number): Promise<void>;
  /**
   * Restores wanted avatars from the trash if needed. Moves all others there, and deletes those
   * beyond the limit per user.
   */
  sweep(wanted: WantedAvatars, now: number): Promise<void>;
  removeAll(userId: string): Promise<void>;
}

/**
 * Stores uploads/avatars/{userId}/avatar-{time}.webp and avatar-{time}-96.webp. Unused files are
 * moved to the trash; those of a deleted account are deleted at once.
 */
export function createAvatarFiles(dataDir: string) {
  const root = join(dataDir, avatarFolder);
  const trash = createAvatarTrash(dataDir);
  const folderOf = (userId: string): string => join(root, userId);
  async function timesOf(userId: string): Promise<number[]> {
    const names = await namesOf(userId);
    return [...new Set(names.flatMap((name) => uploadTimeOf(name) ?? []))];
  }

  const namesOf = (userId: string): Promise<string[]> =>
    unlessMissing(readdir(folderOf(userId)), []);

  async function keepOnly(userId: string, avatarUrl: string | null, now: number): Promise<void> {
    const time = uploadTimeOf(avatarUrl);
    const wanted: string[] = time === null ? [] : avatarNames(time);
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
  }

  const files: AvatarFiles = {
    isShared: false,

    async prepare(): Promise<void> {
      await mkdir(root, { recursive: true });
    },

    timesOf,

    async write(userId, time, { large, small }) {
      const [largeName, smallName] = avatarNames(time);
      const at = (name: string): string => join(folderOf(userId), name);
      await replaceFiles(
        new Map([[at(largeName), large] as const, [at(smallName), small] as const]),
      );
      return () => undefined;
    },

    async read(userId, name) {
      if (!isAvatarName(userId, name)) return null;
      return unlessMissing(readFile(join(folderOf(userId), name)), null);
    },

    async remove(userId, time) {
      await removeFiles(avatarNames(time).map((name) => join(folderOf(userId), name)));
    },

    async discard(userId, times, now) {
      await trash.add(folderOf(userId), userId, times.flatMap(avatarNames), now);
    },

    // Does not need `confirm`: without other servers, `peek` is never outdated.
    async sweep({ peek }, now) {
      const present = await unlessMissing(readdir(root), []);
      const trashed = await trash.owners();
      for (const owner of trashed.union(new Set(present))) {
        const avatarUrl = peek(owner);
        if (avatarUrl !== undefined) await keepOnly(owner, avatarUrl, now);
      }
      for (const owner of trashed) await removeFiles(excessAvatars(await trash.filesOf(owner)));
    },

    async removeAll(userId: string): Promise<void> {
      await rm(folderOf(userId), { recursive: true, force: true });
      await trash.removeAll(userId);
    },
  };

  return {
    ...files,

    /** Also searches the trash: a backup may refer to an avatar that has been replaced since. */
    async find(userId: string, name: string): Promise<string | null> {
      if (!isAvatarName(userId, name)) return null;
      if ((await namesOf(userId)).includes(name)) return join(folderOf(userId), name);
      return trash.find(userId, name);
    },
  };
}
