import { join } from 'node:path';
import { open } from '@app/db/open';

/**
 * Opens the database of a running site. It waits for the server's writes even while the machine
 * stalls, and blocks the server only briefly, because its own writes are not flushed.
 */
export function openDatabase(dataDir: string): ReturnType<typeof open> & Disposable {
  const db = open(join(dataDir, 'site.db'), { busyTimeout: 90_000, synchronous: 'OFF' });
  return Object.assign(db, { [Symbol.dispose]: () => db.$client.close() });
}
