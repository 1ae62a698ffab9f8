import type { Database } from '../open.ts';
import type { NamespaceConfig } from './sqld.ts';

export interface SharedConnection {
  /** For the statements of the program. */
  program: Database;
  /**
   * For the statements of a test itself, which does not wait for the replica. They read all
   * commits, and the program can read what they have written when they return.
   */
  current: Database;
  /** The number of commits of this connection, including transactions that wrote nothing. */
  commits(): number;
  /** Differs after each commit of any connection. */
  version(): unknown;
  configure(config: NamespaceConfig): Promise<void>;
}

const known = new WeakMap<object, SharedConnection>();

export function setSharedConnection(connection: SharedConnection): void {
  known.set(connection.program.$client, connection);
  known.set(connection.current.$client, connection);
}

/** Undefined for a file. */
export const sharedConnectionOf = (db: Database): SharedConnection | undefined =>
  known.get(db.$client);

export const currentDatabase = (db: Database): Database => sharedConnectionOf(db)?.current ?? db;

export const programDatabase = (db: Database): Database => sharedConnectionOf(db)?.program ?? db;

/** While it is not writable, each write fails as on a read-only disk. */
export async function setWritable(db: Database, isWritable: boolean): Promise<void> {
  const shared = sharedConnectionOf(db);
  if (shared) await shared.configure({ block_writes: !isWritable, block_reason: 'of a test' });
  else db.$client.pragma(`query_only = ${isWritable ? 'OFF' : 'ON'}`);
}

/** From then on, writes that need more space fail as on a full disk. */
export async function fillStorage(db: Database): Promise<void> {
  const pragma = (name: string) => db.$client.pragma(name, { simple: true });
  const pages = Number(pragma('page_count'));
  const shared = sharedConnectionOf(db);
  const kibibytes = (pages * Number(pragma('page_size'))) / 1_024;
  if (shared) await shared.configure({ max_db_size: `${kibibytes}KiB` });
  else pragma(`max_page_count = ${pages}`);
}
