import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { isTrashDayOver } from '../../files/trash-days.ts';
import type { ServerBucket } from '../../s3/server-bucket.ts';
import { unlessMissing } from '../../unless-missing.ts';

export interface Deps {
  clock: Clock;
  settings: { dataDir: string };
  bucket: Pick<ServerBucket, 'isOurs' | 'list' | 'remove'> | undefined;
}

/** Deletes avatars and pictures that have been in `trash/{day}/` for 30 whole days. */
export async function emptyTrash({ clock, settings, bucket }: Deps): Promise<void> {
  const isOver = (day: string): boolean =>
    /^\d{4}-\d\d-\d\d$/.test(day) && isTrashDayOver(day, clock.now());
  if (!bucket) {
    const trash = join(settings.dataDir, 'trash');
    for (const day of (await unlessMissing(readdir(trash), [])).filter(isOver)) {
      await rm(join(trash, day), { recursive: true, force: true });
    }
    return;
  }
  if (!(await bucket.isOurs())) return;
  const over: string[] = [];
  for await (const { key } of bucket.list('trash/')) {
    if (isOver(key.split('/')[1] ?? '')) over.push(key);
  }
  for (const key of over) await bucket.remove(key);
}
