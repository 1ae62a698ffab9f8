import type { Database } from '@app/db/open';
import { entriesAfter, newestSeq } from '../publishing/log.ts';

/** The paths that the work logs, in order. */
export async function pathsLoggedBy(db: Database, work: () => unknown): Promise<string[]> {
  const before = newestSeq(db);
  await work();
  return [...entriesAfter(db, before)].flat().map(({ path }) => path);
}
