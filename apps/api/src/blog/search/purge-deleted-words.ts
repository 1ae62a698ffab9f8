import { setImmediate } from 'node:timers/promises';
import { whenUnlocked } from '@app/db/write-transaction';
import type { Deps } from '../deps.ts';

/** Of the index, with 4 kB each. Merging them takes a few milliseconds. */
const pagesAtOnce = 64;

/**
 * FTS5 only marks words of deleted texts as deleted, and leaves them out when it merges its index.
 * A negative number merges the whole index, a part per statement (sqlite.org/fts5.html, 6.8).
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
  // The statement itself counts as one.
  while ((await whenUnlocked(db, mergeSome)) > 1) await setImmediate();
}
