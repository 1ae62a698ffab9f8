import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDatabase } from '@app/db/inspect';
import type { Database } from '@app/db/open';
import { openReplica, type Replica } from '@app/db/replica/open-replica';
import { isTransient, storageFailureOf } from '@app/db/storage-failure';
import { writeTransaction } from '@app/db/write-transaction';
import { sql } from 'drizzle-orm';
import { shiftedClock, systemClock } from '../clock.ts';
import { ownDatabaseFile, replicaFile } from '../database-files.ts';
import type { DatabaseServer } from '../env.ts';
import { StartupError } from '../startup-error.ts';
import { containsSite, containsUploads } from '../storage/data-folder/contents.ts';
import { migrateDatabase } from '../storage/update/migrate-database.ts';
import type { ServerDatabase } from './database.ts';
import { isMovedFile, isSameSite, requireSharedInUse } from './moved-database.ts';
import type { ServerParts } from './server-parts.ts';

interface SharedParts extends Pick<ServerParts, 'log' | 'migrationsFolder' | 'startNew'> {
  env: Pick<ServerParts['env'], 'dataDir'>;
}

const watchMilliseconds = 1_000;

const healthSource = 'replica';
const clockSource = 'clock';

/**
 * Opens the database of DATABASE_URL, with a replica in DATA_DIR. Other servers may use it as well.
 * @throws {StartupError} for problems that the operator can fix; an `unavailable` error (see
 * `storageFailureOf`) if the database server does not respond and there is no replica yet
 */
export async function openSharedDatabase(
  server: DatabaseServer,
  { env: { dataDir }, log, migrationsFolder, startNew }: SharedParts,
): Promise<ServerDatabase> {
  requireSharing(dataDir, startNew);
  const file = join(dataDir, replicaFile);
  let isReplaced = false;
  let checkForChanges: (() => void) | undefined;
  const replica = await openOrExplain({
    ...{ ...server, file },
    onChange: () => checkForChanges?.(),
    onReplaced: () => {
      isReplaced = true;
    },
    onFailure: (error) => log.error({ err: error }, 'the database server cannot be used'),
  });
  const { db } = replica;
  try {
    await requireItsSite(db, file, dataDir);
    requireSharedInUse(db);
    requireSameSite(db, dataDir);
    const now = systemClock.now();
    migrateDatabase(db, { dataDir, file, isShared: true, migrationsFolder, now, log });
    await replica.caughtUp();
  } catch (error) {
    await replica.close();
    throw error;
  }
  // Otherwise a server with a wrong clock would publish posts too early, send emails that another
  // server is already sending, and end all sessions.
  const clock = shiftedClock(systemClock, replica.clockOffset);
  return {
    ...{ db, clock },
    maintain({ storage, health, publisher }) {
      checkForChanges = publisher.checkNow;
      const timer = setInterval(() => {
        if (isReplaced) {
          isReplaced = false;
          log.warn('the database server has another copy of the database: rendering all pages');
          publisher.renderAll();
        }
        const failure = replica.failure();
        // `storage` already reports a primary that does not respond.
        if (failure === null || storage.note(failure) !== null) health.clear(healthSource);
        else health.report(healthSource, 'What other servers have saved is not shown here yet.');
        const offset = replica.clockOffset();
        if (offset === 0) health.clear(clockSource);
        else health.report(clockSource, clockProblem(offset));
      }, watchMilliseconds).unref();
      return async () => clearInterval(timer);
    },
    close: replica.close,
  };
}

/** Does not name the seconds: they vary, so each check would report a new problem. */
const clockProblem = (offset: number): string =>
  `The clock of this server is ${offset > 0 ? 'behind' : 'ahead of'} that of the database server, whose time is used: synchronize both.`;

function requireSharing(dataDir: string, startNew: boolean): void {
  if (startNew) {
    throw new StartupError(
      '--new begins with an empty database in DATA_DIR. With DATABASE_URL, start without it on an empty database.',
    );
  }
  const file = join(dataDir, ownDatabaseFile);
  if (existsSync(file) && !isMovedFile(file)) {
    throw new StartupError(
      `DATA_DIR ${dataDir} has a database of its own (${ownDatabaseFile}), and DATABASE_URL names another. Unset DATABASE_URL, or set DATA_DIR to an empty folder.`,
    );
  }
}

/** Otherwise files in DATA_DIR would be deleted as unused. @throws {StartupError} */
function requireSameSite(db: Database, dataDir: string): void {
  const file = join(dataDir, ownDatabaseFile);
  if (!existsSync(file) || isSameSite(file, db)) return;
  throw new StartupError(
    `DATA_DIR ${dataDir} has a database that was moved (${ownDatabaseFile}), but not to the one of DATABASE_URL: correct DATABASE_URL, or set DATA_DIR to an empty folder.`,
  );
}

async function openOrExplain(options: Parameters<typeof openReplica>[0]): Promise<Replica> {
  try {
    return await openReplica(options);
  } catch (cause) {
    if (storageFailureOf(cause) !== null) throw cause;
    throw new StartupError(`The database of DATABASE_URL: ${(cause as Error).message}`, { cause });
  }
}

/** With the wrong database, all files would be deleted as unused. @throws {StartupError} */
async function requireItsSite(db: Database, file: string, dataDir: string): Promise<void> {
  const found = inspectDatabase(file);
  if (found.state === 'foreign') {
    throw new StartupError(
      `The database of DATABASE_URL belongs to another program (its tables: ${found.tables.slice(0, 5).join(', ')}). Use a separate database for this site.`,
    );
  }
  const isOthers =
    (found.state === 'unused' && containsUploads(dataDir)) ||
    // The replica may still be a copy from another database server.
    ((found.state !== 'empty' || containsSite(dataDir)) && (await isEmpty(db)));
  if (isOthers) {
    throw new StartupError(
      `DATA_DIR ${dataDir} contains a site, but the database of DATABASE_URL is empty: check DATABASE_URL, or set DATA_DIR to an empty folder.`,
    );
  }
}

/** Asks the primary; false if it does not answer. */
async function isEmpty(db: Database): Promise<boolean> {
  try {
    const first = sql`select name from sqlite_schema limit 1`;
    return await writeTransaction(db, (tx) => tx.get(first) === undefined);
  } catch (error) {
    if (isTransient(storageFailureOf(error))) return false;
    throw error;
  }
}
