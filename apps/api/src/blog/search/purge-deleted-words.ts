import { setTimeout as pause } from 'node:timers/promises';
import { whenUnlocked } from '@app/db/write-transaction';
import type { Deps } from '../deps.ts';

/** Index pages of 4 kB. Merging them takes a few milliseconds. */
const pagesAtOnce = 64;

/** Ten times as long as a merge takes, because a save needs many turns of the event loop. */
const pauseMilliseconds = 50;

/**
 * FTS5 only marks the words of deleted texts as deleted, and drops them when it merges its index. A
 * negative number merges the whole index, one part per statement (sqlite.org/fts5.html, 6.8).
 */
export async function purgeDeletedWords({ db }: Pick<Deps, 'db'>): Promise<void> {
  const merge = db.$client.prepare<[number]>(
    "INSERT INTO blog_search (blog_search, rank) VALUES ('merge', ?)",
  );
  const totalChanges = db.$client.prepare<[], number>('SELECT total_changes()').pluck();
  const mergeSome = (): number => {
    const before = totalChanges.get() ?? 0;
    merge.run(-pagesAtOnce);
    return (totalChanges.get() ?? 0) - before;
  };
  // The statement itself counts as one change.
  // The server may stop during a pause.
  while (db.$client.open && (await whenUnlocked(db, mergeSome)) > 1) {
    await pause(pauseMilliseconds, undefined, { ref: false });
  }
}
