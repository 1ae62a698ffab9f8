import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@app/db/open';
import { serverSecrets } from '@app/db/schema/server';
import { isPassing, type StorageFailure, storageFailureOf } from '@app/db/storage-failure';
import { sql } from 'drizzle-orm';
import type { Log } from '../../log.ts';
import type { Health } from './health.ts';

const probeMilliseconds = 2_000;
/** About a page. */
const probeBytes = 64 * 1024;

export const storageProblems: Readonly<Record<StorageFailure, string>> = {
  full: 'The disk is full: nothing can be saved until there is space again.',
  'read-only': 'The disk is read-only: nothing can be saved.',
  busy: 'Another process holds the database: nothing can be saved until it releases the lock.',
  io: 'The disk reports errors: nothing can be saved.',
  corrupt: 'The database is damaged: restore a backup.',
};

export type Storage = ReturnType<typeof createStorage>;

interface StorageParts {
  db: Database;
  dataDir: string;
  health: Health;
  log: Log;
}

/** After a failure, probes the disk and the database until they are writable again. */
export function createStorage({ db, dataDir, health, log }: StorageParts) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function note(error: unknown): StorageFailure | null {
    const failure = storageFailureOf(error);
    if (failure === null) return null;
    health.report('storage', storageProblems[failure]);
    if (isPassing(failure) && !isStopped) timer ??= setTimeout(probe, probeMilliseconds).unref();
    return failure;
  }

  async function probe(): Promise<void> {
    const file = join(dataDir, '.probe');
    try {
      db.update(serverSecrets)
        .set({ value: sql`${serverSecrets.value}` })
        .run();
      await writeFile(file, Buffer.alloc(probeBytes));
      health.clear('storage');
      timer = undefined;
    } catch (error) {
      timer = undefined;
      if (note(error) === null) log.error({ err: error }, 'could not probe storage');
    } finally {
      await rm(file, { force: true }).catch(() => undefined);
    }
  }

  return {
    /** Reports storage failures; returns null for other errors. */
    note,

    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** For a read-only copy. */
export const copyStorage = (): Storage => ({ note: storageFailureOf, stop: () => undefined });
