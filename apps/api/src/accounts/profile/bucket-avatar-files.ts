import type { Clock } from '../../clock.ts';
import { trashDayOf } from '../../files/trash-days.ts';
import type { Bucket } from '../../s3/bucket.ts';
import { minUnusedAge, startUpload } from '../../s3/uploads-in-progress.ts';
import {
  type AvatarFiles,
  avatarFolder,
  avatarNames,
  excessAvatars,
  isAvatarName,
  uploadTimeOf,
} from './avatar-files.ts';

const folderOf = (userId: string): string => `${avatarFolder}/${userId}/`;

const trashKey = /^trash\/\d{4}-\d\d-\d\d\/avatars\/([^/]{1,100})\/([^/]{1,100})$/;

interface FoundAvatars {
  /** Age in milliseconds by file name. */
  present: Map<string, number>;
  /** Keys by file name. */
  trashed: Map<string, string>;
}

/**
 * Stores {avatarFolder}/{userId}/avatar-{time}.webp and avatar-{time}-96.webp in a bucket that
 * several servers use. The trash is trash/{day}/avatars/{userId}/{name}. Only the cleanup moves
 * unused files there, an hour after the profile has changed, because pages of other servers may
 * show them until then.
 */
export function bucketAvatarFiles(bucket: Bucket, clock: Pick<Clock, 'now'>): AvatarFiles {
  const toTrash = (userId: string, name: string, now: number): Promise<void> =>
    move(folderOf(userId) + name, `trash/${trashDayOf(now)}/avatars/${userId}/${name}`);

  async function move(from: string, to: string): Promise<void> {
    // Another server may have moved it already.
    if (await bucket.copy(from, to)) await bucket.remove(from);
  }

  /** By user id. */
  async function findAll(): Promise<Map<string, FoundAvatars>> {
    const all = new Map<string, FoundAvatars>();
    const of = (userId: string): FoundAvatars => {
      const found = all.get(userId) ?? { present: new Map(), trashed: new Map() };
      all.set(userId, found);
      return found;
    };
    for await (const { key, age } of bucket.list(`${avatarFolder}/`)) {
      const [userId = '', name = ''] = key.split('/').slice(-2);
      if (isAvatarName(userId, name)) of(userId).present.set(name, age);
    }
    for await (const { key } of bucket.list('trash/')) {
      const [, userId = '', name = ''] = trashKey.exec(key) ?? [];
      if (isAvatarName(userId, name)) of(userId).trashed.set(name, key);
    }
    return all;
  }

  return {
    isShared: true,

    prepare: async () => undefined,

    async timesOf(userId) {
      const times = new Set<number>();
      for await (const { key } of bucket.list(folderOf(userId))) {
        const time = uploadTimeOf(key);
        if (time !== null) times.add(time);
      }
      return [...times];
    },

    async write(userId, time, { large, small }) {
      const confirm = startUpload(clock, 'an avatar');
      const [largeName, smallName] = avatarNames(time);
      await Promise.all([
        bucket.put(folderOf(userId) + largeName, large),
        bucket.put(folderOf(userId) + smallName, small),
      ]);
      return confirm;
    },

    async read(userId, name) {
      return isAvatarName(userId, name) ? bucket.get(folderOf(userId) + name) : null;
    },

    async remove(userId, time) {
      for (const name of avatarNames(time)) await bucket.remove(folderOf(userId) + name);
    },

    async discard(userId, times, now) {
      for (const name of times.flatMap(avatarNames)) await toTrash(userId, name, now);
    },

    async sweep({ peek, confirm }, now) {
      for (const [userId, { present, trashed }] of await findAll()) {
        const changesFor = (avatarUrl: string | null | undefined) => {
          if (avatarUrl === undefined) return { restored: [], unused: [] };
          const time = uploadTimeOf(avatarUrl);
          const wanted: string[] = time === null ? [] : avatarNames(time);
          return {
            restored: wanted.filter((name) => !present.has(name) && trashed.has(name)),
            unused: [...present]
              .filter(([name, age]) => !wanted.includes(name) && age > minUnusedAge)
              .map(([name]) => name),
          };
        };
        const expected = changesFor(peek(userId));
        if (expected.restored.length + expected.unused.length > 0) {
          const { restored, unused } = changesFor(await confirm(userId));
          for (const name of restored) {
            await move(trashed.get(name) ?? '', folderOf(userId) + name);
          }
          for (const name of unused) await toTrash(userId, name, now);
        }
        for (const key of excessAvatars(trashed.values())) await bucket.remove(key);
      }
    },

    async removeAll(userId) {
      const keys: string[] = [];
      for await (const { key } of bucket.list(folderOf(userId))) keys.push(key);
      for await (const { key } of bucket.list('trash/')) {
        if (trashKey.exec(key)?.[1] === userId) keys.push(key);
      }
      for (const key of keys) await bucket.remove(key);
    },
  };
}
