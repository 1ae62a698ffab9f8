import type { Database } from './open.ts';

/** How to write to a database on another machine. */
export interface RemoteWrites {
  /** Runs synchronous work in a transaction. Neither its begin nor its commit blocks the thread. */
  withLock<T>(work: () => T): Promise<T>;
  /** Resolves to true when this process can read its own commits; to false after a timeout. */
  caughtUp(): Promise<boolean>;
  /** Whether this process can now read what it has committed. */
  isCaughtUp(): boolean;
}

const known = new WeakMap<object, RemoteWrites>();

export const setRemoteWrites = (db: Database, writes: RemoteWrites): void => {
  known.set(db.$client, writes);
};

/** Undefined for a file. */
export const remoteWritesOf = (db: Database): RemoteWrites | undefined => known.get(db.$client);
