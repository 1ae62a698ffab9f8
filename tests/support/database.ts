import { join } from 'node:path';
import { open } from '@app/db/open';

/**
 * The database of a running site. It waits for the server's writes even on a machine that stalls,
 * and keeps the server waiting only briefly: its own are not flushed.
 */
export function openDatabase(dataDir: string): ReturnType<typeof open> & Disposable {
  const db = open(join(dataDir, 'site.db'), { busyTimeout: 90_000, synchronous: 'OFF' });
  return Object.assign(db, { [Symbol.dispose]: () => db.$client.close() });
}
