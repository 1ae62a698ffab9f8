import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { moveNow } from '../../files/move.ts';
import { trashDayOf } from '../../files/trash-days.ts';
import { unlessMissing } from '../../unless-missing.ts';

/**
 * Keeps unused avatars in `trash/{day}/avatars/{userId}/{name}`, which is not served, because a
 * restored database may refer to them again.
 */
export function createAvatarTrash(dataDir: string) {
  const root = join(dataDir, 'trash');
  const days = async (): Promise<string[]> =>
    (await unlessMissing(readdir(root), [])).filter((name) => /^\d{4}-\d\d-\d\d$/.test(name));
  const folderOf = (day: string, userId: string): string => join(root, day, 'avatars', userId);

  async function filesOf(userId: string): Promise<string[]> {
    const all: string[] = [];
    for (const day of await days()) {
      const folder = folderOf(day, userId);
      const names = await unlessMissing(readdir(folder), []);
      all.push(...names.map((name) => join(folder, name)));
    }
    return all;
  }

  return {
    filesOf,

    async add(folder: string, userId: string, names: readonly string[], now: number) {
      if (names.length === 0) return;
      const target = folderOf(trashDayOf(now), userId);
      await mkdir(target, { recursive: true, mode: 0o700 });
      for (const name of names) moveNow(join(folder, name), join(target, name));
    },

    async find(userId: string, name: string): Promise<string | null> {
      return (await filesOf(userId)).find((path) => basename(path) === name) ?? null;
    },

    async owners(): Promise<Set<string>> {
      const lists = (await days()).map((day) =>
        unlessMissing(readdir(join(root, day, 'avatars')), []),
      );
      return new Set((await Promise.all(lists)).flat());
    },

    async removeAll(userId: string): Promise<void> {
      for (const day of await days()) {
        await rm(folderOf(day, userId), { recursive: true, force: true });
      }
    },
  };
}
