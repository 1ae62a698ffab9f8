import { basename, dirname } from 'node:path';
import type SqliteClient from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { lockFolder } from '../folder-lock.ts';
import type { Database } from '../open.ts';
import { setRemoteWrites } from '../remote-writes.ts';
import { createBlockingHttp } from './blocking-http.ts';
import { ReplicaClient } from './client.ts';
import { createPrimary, type PrimaryOptions, toHttpUrl } from './primary.ts';
import { createReader, type Reader } from './reader.ts';
import { hasReplica, positionOf } from './replica-files.ts';
import { startSynchronizer } from './synchronizer.ts';

/** In milliseconds. */
const defaultCatchUpTimeout = 1_000;

export interface ReplicaOptions extends PrimaryOptions {
  /** A copy of the primary, in a folder that only this process uses. */
  file: string;
  /** In milliseconds, between two syncs. */
  syncInterval?: number;
  /** How long a request waits at most until it can read its own write, in milliseconds. */
  catchUpTimeout?: number;
  /** Called after commits of any server, including this one, have arrived. */
  onChange?: () => void;
  /**
   * Called when the server has a different copy of the database, such as a standby's or a restored
   * one. Commits can be missing, and other rows can have their ids.
   */
  onReplaced?: () => void;
  /** Called once when the primary or the sync fails, and again only after it has worked. */
  onFailure?: (failure: Error) => void;
}

export interface Replica {
  db: Database;
  /** Resolves to whether this process can read all of its commits, after the timeout at most. */
  caughtUp(): Promise<boolean>;
  /** Why writes are refused at once, for the operator; null if they are sent. */
  failure(): Error | null;
  /**
   * How far the primary's clock is ahead of this machine's, in milliseconds, measured in the last
   * ten seconds; 0 if they differ by about a second at most.
   */
  clockOffset(): number;
  /** When the last successful sync ended (`performance.now()`); null if there was none. */
  syncedAt(): number | null;
  /** Must be used instead of `close` from open.ts. */
  close(): Promise<void>;
}

/** The message is for the operator. */
export class ReplicaInUse extends Error {
  override name = 'ReplicaInUse';
}

/**
 * Opens a database on a libSQL server, with a copy on this machine for reading. If the server does
 * not answer, a copy of an earlier start can be read; writes are refused until the server is back.
 * @throws if the server does not flush commits, refuses the token, or cannot be reached and there
 * is no copy; {@link ReplicaInUse} if another process uses the file
 */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { url, authToken, file, syncInterval, onChange, onReplaced } = options;
  const { catchUpTimeout = defaultCatchUpTimeout, onFailure = () => undefined } = options;
  const unlock = lockFolder(dirname(file), `${basename(file)}.lock`);
  if (unlock === null) {
    throw new ReplicaInUse(
      `Another process uses the replica ${file}: stop it, or choose another folder.`,
    );
  }
  const reader = createReader(file);
  const { primary, client } = connect(options, reader, {
    onFailure,
    position: () => positionOf(file),
    onShorter: (position) => synchronizer.foundShorter(position),
  });
  const synchronizer = startSynchronizer({
    ...{ file, url: toHttpUrl(url).href, authToken, interval: syncInterval },
    commits: () => client.commits,
    onRebuild: () => reader.close(),
    onChange: () => onChange?.(),
    onReplaced: () => onReplaced?.(),
    onFailure: (failure) => {
      primary.checkSoon();
      onFailure(failure);
    },
  });
  const db = asDatabase(client);
  const caughtUp = () => within(catchUpTimeout, synchronizer.caughtUp());
  const { isCaughtUp } = synchronizer;
  setRemoteWrites(db, { withLock: (work) => client.withLock(work), caughtUp, isCaughtUp });

  async function close(): Promise<void> {
    client.close();
    await Promise.all([synchronizer.stop(), primary.close()]);
    unlock?.();
  }

  try {
    await requireReadable();
  } catch (error) {
    await close();
    throw error;
  }

  async function requireReadable(): Promise<void> {
    try {
      await primary.connect();
      if (hasReplica(file) && contents(reader) === 'damaged') synchronizer.rebuild();
      await synchronizer.first;
    } catch (error) {
      if (!hasReplica(file) || contents(reader) !== 'tables') throw error;
    }
  }

  return {
    ...{ db, caughtUp, close },
    failure: () => primary.failure() ?? synchronizer.failure(),
    clockOffset: primary.clockOffset,
    syncedAt: synchronizer.syncedAt,
  };
}

/** Opens a database on a libSQL server without a copy: all statements run there. For commands. */
export async function openPrimary(options: PrimaryOptions): Promise<Replica> {
  const { primary, client } = connect(options, null, { onFailure: () => undefined });
  const db = asDatabase(client);
  const caughtUp = async () => true;
  const isCaughtUp = () => true;
  setRemoteWrites(db, { withLock: (work) => client.withLock(work), caughtUp, isCaughtUp });

  async function close(): Promise<void> {
    client.close();
    await primary.close();
  }

  try {
    await primary.connect();
  } catch (error) {
    await close();
    throw error;
  }
  const { failure, clockOffset } = primary;
  return { db, caughtUp, failure, clockOffset, syncedAt: () => null, close };
}

function connect(
  options: PrimaryOptions,
  reader: Reader | null,
  events: Parameters<typeof createPrimary>[2],
) {
  const primary = createPrimary(options, createBlockingHttp(), events);
  return { primary, client: new ReplicaClient(primary, reader) };
}

/** The client has what Drizzle's driver and this program use of better-sqlite3. */
export const asDatabase = (client: ReplicaClient): Database =>
  drizzle({ client: client as unknown as SqliteClient.Database });

function contents(reader: Reader): 'tables' | 'empty' | 'damaged' {
  try {
    const table = reader.client().prepare('SELECT 1 FROM sqlite_schema').get();
    return table === undefined ? 'empty' : 'tables';
  } catch {
    reader.close();
    return 'damaged';
  }
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  void work.then(() => resolve(true));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
