import type { Database } from './open.ts';

/** What writing to another machine needs. */
export interface RemoteWrites {
  /** Runs synchronous work in a transaction. Beginning it and its commit do not block. */
  withLock<T>(work: () => T): Promise<T>;
  /** Resolves when this process can read what it has committed, or to false after a timeout. */
  caughtUp(): Promise<boolean>;
  /** Whether it can now. */
  isCaughtUp(): boolean;
}

const known = new WeakMap<object, RemoteWrites>();

export const setRemoteWrites = (db: Database, writes: RemoteWrites): void => {
  known.set(db.$client, writes);
};

/** Undefined for a file. */
export const remoteWritesOf = (db: Database): RemoteWrites | undefined => known.get(db.$client);
