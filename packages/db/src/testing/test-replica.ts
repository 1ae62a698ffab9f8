import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, onTestFinished, vi } from 'vitest';
import { migrate } from '../migrate.ts';
import type { Database } from '../open.ts';
import { openReplica, type Replica, type ReplicaOptions } from '../replica/open-replica.ts';
import { serverSecrets } from '../schema/server.ts';
import { type Sqld, startSqld } from './sqld.ts';

/** In milliseconds, for busy machines. */
const catchUpTimeout = 60_000;

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'replica-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a replica, which is closed after the test. */
export async function openTestReplica(
  options: Partial<ReplicaOptions> & { url: string },
): Promise<Replica> {
  // Creates the folder first, so that it is removed last: the functions run in reverse order.
  const file = options.file ?? join(temporaryFolder(), 'replica.db');
  const replica = await openReplica({ catchUpTimeout, ...options, file });
  onTestFinished(() => replica.close());
  return replica;
}

export async function startTestSqld(...options: Parameters<typeof startSqld>) {
  const sqld = await startSqld(...options);
  onTestFinished(() => sqld.stop());
  return sqld;
}

/** A server and a migrated replica for the tests of a file. Each test begins without secrets. */
export function useReplica() {
  const used = {} as { sqld: Sqld; replica: Replica; db: Database; folder: string };

  beforeAll(async () => {
    used.folder = mkdtempSync(join(tmpdir(), 'replica-'));
    used.sqld = await startSqld();
    const file = join(used.folder, 'replica.db');
    used.replica = await openReplica({ url: used.sqld.url, file, catchUpTimeout });
    used.db = used.replica.db;
    migrate(used.db);
    await used.replica.caughtUp();
  });
  beforeEach(async () => {
    // If the machine stalls for two seconds, the server is unavailable until the next check.
    await vi.waitFor(() => used.db.delete(serverSecrets).run(), 90_000);
    await used.replica.caughtUp();
  });
  afterAll(async () => {
    await used.replica?.close();
    await used.sqld?.stop();
    rmSync(used.folder, { recursive: true, force: true });
  });
  return used;
}
