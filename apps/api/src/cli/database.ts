import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseState, inspectDatabase, inspectTables } from '@app/db/inspect';
import { moveOf } from '@app/db/move/move-state';
import { close, type Database, open } from '@app/db/open';
import { openPrimary, openReplica, type Replica, ReplicaInUse } from '@app/db/replica/open-replica';
import { deleteReplica } from '@app/db/replica/replica-files';
import { storageFailureOf } from '@app/db/storage-failure';
import { type Clock, shiftedClock } from '../clock.ts';
import { ownDatabaseFile } from '../database-files.ts';
import type { Env } from '../env.ts';
import { CommandError } from './errors.ts';

export type DatabaseSettings = Pick<Env, 'dataDir' | 'databaseServer'>;

/**
 * Opens the server's database while `work` runs.
 * @param clock the clock of this machine. `work` gets the clock of the database
 * @throws {CommandError} if the database cannot be used
 */
export const withDatabase = <T>(
  { dataDir, databaseServer }: DatabaseSettings,
  clock: Clock,
  work: (database: { db: Database; clock: Clock }) => Promise<T>,
): Promise<T> =>
  databaseServer
    ? withShared(
        () => openPrimary(databaseServer),
        ({ db, clockOffset }) => work({ db, clock: shiftedClock(clock, clockOffset) }),
      )
    : withOwnDatabase(dataDir, (db) => work({ db, clock }));

interface WholeDatabase {
  db: Database;
  /** The database file, or a replica of a shared database. */
  file: string;
  /** Why the file cannot be synced with the database; null if it can. */
  failure(): Error | null;
}

/**
 * Like `withDatabase`, for commands that copy the whole database. First copies a shared database into
 * DATA_DIR, because only the server itself may use its replica.
 */
export const withWholeDatabase = <T>(
  { dataDir, databaseServer }: DatabaseSettings,
  work: (database: WholeDatabase) => Promise<T>,
): Promise<T> => {
  if (!databaseServer) {
    const own = join(dataDir, ownDatabaseFile);
    return withOwnDatabase(dataDir, (db) => work({ db, file: own, failure: () => null }));
  }
  const file = join(dataDir, 'backup-replica.db');
  return withShared(
    async () => {
      requireWritable(dataDir);
      const replica = await openReplica({ ...databaseServer, file });
      const close = async () => {
        await replica.close();
        deleteReplica(file);
      };
      return { ...replica, close };
    },
    ({ db, failure }) => work({ db, file, failure }),
  );
};

/** @throws {CommandError} */
function requireWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      'unusable_database',
      `This command first copies the database of DATABASE_URL into DATA_DIR ${dataDir}, which is not writable (${code}): choose another folder.`,
    );
  }
}

/** For commands that replace the database. @throws {CommandError} */
export function requireOwnDatabase({ databaseServer }: DatabaseSettings): void {
  if (!databaseServer) return;
  throw new CommandError(
    'conflict',
    `The database is on the server of DATABASE_URL (${databaseServer.url}), which this command does not change. To get a separate site, unset DATABASE_URL and choose an empty DATA_DIR.`,
  );
}

async function withShared<T>(
  openIt: () => Promise<Replica>,
  work: (replica: Replica) => Promise<T>,
): Promise<T> {
  try {
    const replica = await openIt();
    try {
      refuseState(inspectTables(replica.db.$client), {
        where: 'of this site at DATABASE_URL',
        database: 'The database of DATABASE_URL',
        advice: "use the servers' DATABASE_URL",
      });
      requireComplete(replica.db);
      return await work(replica);
    } finally {
      await replica.close();
    }
  } catch (error) {
    throw explainShared(error);
  }
}

/** Explains errors of a libSQL server. Returns other errors unchanged. */
export function explainShared(error: unknown): unknown {
  if (error instanceof ReplicaInUse) return new CommandError('conflict', error.message);
  switch (storageFailureOf(error)) {
    case 'unavailable':
      return new CommandError('database_unavailable', messageOf(error));
    case 'moved':
      return movedAway();
    default:
      return error;
  }
}

const movedAway = (): CommandError =>
  new CommandError(
    'conflict',
    'The database is being moved, or was moved, so nothing can be changed in it: use the settings of the new one.',
  );

async function withOwnDatabase<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const file = join(dataDir, ownDatabaseFile);
  try {
    refuseState(inspectDatabase(file), {
      where: `in DATA_DIR ${dataDir}`,
      database: file,
      advice: "use the server's DATA_DIR",
    });
    const db = open(file);
    try {
      return await work(db);
    } finally {
      close(db);
    }
  } catch (error) {
    throw explain(error, file);
  }
}

/** @throws {CommandError} */
function requireComplete({ $client: client }: Database): void {
  if (moveOf(client)?.state !== 'incomplete') return;
  throw new CommandError(
    'conflict',
    'The database of DATABASE_URL is an incomplete copy: run `pnpm cli database move` again where you started it.',
  );
}

/** @throws {CommandError} if this version cannot use the database */
function refuseState(
  { state }: DatabaseState,
  { where, database, advice }: { where: string; database: string; advice: string },
): void {
  if (state === 'missing' || state === 'empty') {
    throw new CommandError(
      'no_database',
      `There is no database ${where}: ${advice}, or start the server once.`,
    );
  }
  if (state === 'foreign') {
    throw new CommandError(
      'foreign_database',
      `${database} belongs to another program: ${advice}.`,
    );
  }
  if (state === 'newer') {
    throw new CommandError(
      'newer_database',
      `${database} was written by a newer version: use that version's CLI.`,
    );
  }
}

/** The message of the innermost cause, because drizzle wraps errors. */
function messageOf(error: unknown): string {
  let each = error as Error;
  while (each.cause instanceof Error) each = each.cause;
  return each.message;
}

/** Explains errors of SQLite, which drizzle wraps. Returns other errors unchanged. */
function explain(error: unknown, file: string): unknown {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, message } = each as Error & { code?: unknown };
    if (typeof code !== 'string' || !code.startsWith('SQLITE_')) continue;
    const failure = storageFailureOf(each);
    if (failure === 'moved') return movedAway();
    if (failure === 'full') {
      return new CommandError('disk_full', `The disk is full (${message}). Free some space.`);
    }
    if (code.startsWith('SQLITE_BUSY')) {
      return new CommandError('database_busy', 'The database is busy: try again in a moment.');
    }
    return new CommandError(
      'unusable_database',
      `The database ${file} cannot be used (${message}): make sure that this user can write to it, and start this version of the server once.`,
    );
  }
  return error;
}
