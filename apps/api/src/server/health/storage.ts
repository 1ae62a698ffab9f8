import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@app/db/open';
import { serverSecrets } from '@app/db/schema/server';
import { isTransient, type StorageFailure, storageFailureOf } from '@app/db/storage-failure';
import { whenUnlocked } from '@app/db/write-transaction';
import { sql } from 'drizzle-orm';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Health } from './health.ts';

const probeMilliseconds = 2_000;
/** About the size of a published page. */
const probeBytes = 64 * 1024;

/** How long `findProblem` relies on a successful write, in milliseconds. */
const proofMilliseconds = 30_000;

export const storageProblems: Readonly<Record<StorageFailure, string>> = {
  full: 'The disk is full: nothing can be saved until there is space again.',
  'read-only': 'The disk is read-only: nothing can be saved.',
  busy: 'Another process holds the database: nothing can be saved until it releases the lock.',
  unavailable: 'The database server does not answer: nothing can be saved until it does.',
  moved:
    'The database is being moved, or was moved: nothing can be saved until the server uses the new one.',
  io: 'The disk reports errors: nothing can be saved.',
  corrupt: 'The database is damaged: restore a backup.',
};

export type Storage = ReturnType<typeof createStorage>;

interface StorageParts {
  db: Database;
  dataDir: string;
  clock: Pick<Clock, 'monotonic'>;
  health: Health;
  log: Log;
}

/** After a failure, probes the disk and the database until they are writable again. */
export function createStorage({ db, dataDir, clock, health, log }: StorageParts) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let known: StorageFailure | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | undefined;

  function note(error: unknown): StorageFailure | null {
    const failure = storageFailureOf(error);
    if (failure === null) return null;
    known = failure;
    health.report('storage', storageProblems[failure]);
    if (isTransient(failure) && !isStopped) timer ??= setTimeout(probe, probeMilliseconds).unref();
    return failure;
  }

  async function write(): Promise<void> {
    const file = join(dataDir, '.probe');
    try {
      await whenUnlocked(db, () =>
        db
          .update(serverSecrets)
          .set({ value: sql`${serverSecrets.value}` })
          .run(),
      );
      await writeFile(file, Buffer.alloc(probeBytes));
      writtenAt = clock.monotonic();
      known = null;
      health.clear('storage');
    } finally {
      await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /** Concurrent callers share a write, because all writes use the same file. */
  const writeOnce = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };

  async function probe(): Promise<void> {
    try {
      await writeOnce();
      timer = undefined;
    } catch (error) {
      timer = undefined;
      if (note(error) === null) log.error({ err: error }, 'could not probe storage');
    }
  }

  return {
    /** Reports storage failures; returns null for other errors. */
    note,

    /**
     * Reads from the database, and writes to it and to the disk unless a write has succeeded in the
     * last 30 seconds.
     * @returns the reason if that fails, as a sentence that is safe to publish; otherwise null
     */
    async findProblem(): Promise<string | null> {
      let problem = 'The database cannot be read.';
      try {
        db.select({ name: serverSecrets.name }).from(serverSecrets).limit(1).get();
        problem = 'Nothing can be saved.';
        if (known === null && clock.monotonic() - writtenAt > proofMilliseconds) await writeOnce();
        return known === null ? null : storageProblems[known];
      } catch (error) {
        const failure = note(error);
        if (failure !== null) return storageProblems[failure];
        log.error({ err: error }, 'could not check storage');
        return problem;
      }
    },

    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** For a server that uses a read-only copy. @param failure the reason for that */
export const copyStorage = (failure: StorageFailure): Storage => ({
  note: storageFailureOf,
  findProblem: async () => storageProblems[failure],
  stop: () => undefined,
});
