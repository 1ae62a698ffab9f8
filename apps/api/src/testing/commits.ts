import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedConnectionOf } from '@app/db/testing/shared-connection';
import type { TestApp } from './test-app.ts';

/** @returns how many times the app has committed changes since this call */
export function countCommits({ deps, dataDir }: TestApp): () => number {
  const shared = sharedConnectionOf(deps.db);
  if (shared) {
    const before = shared.commits();
    return () => shared.commits() - before;
  }
  const { $client: client } = deps.db;
  client.pragma('wal_checkpoint(TRUNCATE)');
  const frameSize = 24 + Number(client.pragma('page_size', { simple: true }));
  return () => {
    const log = readFileSync(join(dataDir, 'site.db-wal'));
    let commits = 0;
    for (let frame = 32; frame < log.length; frame += frameSize) {
      // Only set in the last frame of a commit (sqlite.org/fileformat2.html#walformat).
      if (log.readUInt32BE(frame + 4) > 0) commits += 1;
    }
    return commits;
  };
}
