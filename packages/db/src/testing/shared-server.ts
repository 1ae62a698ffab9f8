import { join } from 'node:path';
import SqliteClient from 'better-sqlite3';
import { migrate } from '../migrate.ts';
import type { Database } from '../open.ts';
import { setRemoteWrites } from '../remote-writes.ts';
import { type BlockingHttp, createBlockingHttp } from '../replica/blocking-http.ts';
import { ReplicaClient } from '../replica/client.ts';
import { asDatabase } from '../replica/open-replica.ts';
import { createPrimary, type Primary } from '../replica/primary.ts';
import { createReader } from '../replica/reader.ts';
import { catchingUp } from './catching-up.ts';
import { scriptOfRows } from './database-rows.ts';
import { setSharedConnection } from './shared-connection.ts';
import { type Sqld, startSqld } from './sqld.ts';
import { type SyncThread, startSyncThread } from './sync-thread.ts';

/** In milliseconds. */
const requestTimeout = 60_000;

/** A libSQL server with a migrated database, which tests use one after the other. */
export interface SharedServer {
  url: string;
  hasReplica: boolean;
  /** The name of the database that it has. */
  file: string;
  connections: number;
  connect(): Database;
  /** Replaces all rows with those of a file; deletes them without one. */
  load(file: string | null): Promise<void>;
  caughtUp(): Promise<void>;
  copyTo(file: string): void;
  /** False after a test has changed more than rows. */
  isUsable(): boolean;
  stop(): Promise<void>;
}

export async function startSharedServer(hasReplica: boolean): Promise<SharedServer> {
  const sqld = await startSqld();
  const { url } = sqld;
  const primary = createPrimary({ url }, httpWithLongerTimeout(), { onFailure: () => undefined });
  await primary.connect();
  migrate(asDatabase(new ReplicaClient(primary, null)));
  const file = primaryFileOf(sqld);
  const watched = new SqliteClient(file, { readonly: true });
  const newest = watched.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck();
  /** Differs after a test has changed the schema or the list of migrations. */
  const schemaVersion = () =>
    `${watched.pragma('schema_version', { simple: true })} ${newest.get()}`;
  let expectedSchema = schemaVersion();
  const replica = hasReplica ? openReplicaOf(sqld) : null;
  await replica?.thread.caughtUp();

  let isLimited = false;
  const configure: Sqld['configure'] = (config) => {
    // The connections of the server keep this limit.
    isLimited ||= config.max_db_size !== undefined;
    return sqld.configure(config);
  };

  const server: SharedServer = {
    ...{ url, hasReplica, file: '', connections: 0 },

    connect() {
      server.connections += 1;
      return connect({ configure, primary, watched, replica }, () => {
        server.connections -= 1;
      });
    },

    async load(source) {
      // A test may have left other settings.
      await sqld.configure({});
      const client = new ReplicaClient(primary, null);
      client.pragma('foreign_keys = OFF');
      client.exec(scriptOfRows(file, source));
      replica?.thread.sync();
      expectedSchema = schemaVersion();
    },

    caughtUp: async () => await replica?.thread.caughtUp(),

    copyTo: (target) => void watched.prepare('VACUUM INTO ?').run(target),

    isUsable: () => !isLimited && schemaVersion() === expectedSchema && primary.failure() === null,

    async stop() {
      await replica?.thread.end();
      await primary.close();
      watched.close();
      await sqld.stop();
    },
  };
  return server;
}

/** On a busy machine, requests would exceed the program's time limits. */
function httpWithLongerTimeout(): BlockingHttp {
  const http = createBlockingHttp();
  return { ...http, send: (request) => http.send({ ...request, timeout: requestTimeout }) };
}

/** An ordinary SQLite file, which others may read. */
const primaryFileOf = ({ folder }: Sqld): string => join(folder, 'dbs/default/data');

/** Like `openReplica`, but with a thread that a test can wait for. */
function openReplicaOf({ url, folder }: Sqld) {
  const file = join(folder, 'replica.db');
  return { reader: createReader(file), thread: startSyncThread({ url, file }) };
}

interface Parts {
  configure: Sqld['configure'];
  primary: Primary;
  /** The primary's file. */
  watched: SqliteClient.Database;
  replica: ReturnType<typeof openReplicaOf> | null;
}

function connect({ configure, primary, watched, replica }: Parts, onClose: () => void): Database {
  const client = new ReplicaClient(primary, replica?.reader ?? null);
  const close = client.close.bind(client);
  client.close = () => {
    if (client.open) onClose();
    return close();
  };
  const db = asDatabase(client);
  const version = () => watched.pragma('data_version', { simple: true });
  let seen: unknown;
  const current = replica
    ? catchingUp(db, () => {
        if (!client.open || client.inTransaction) return;
        const found = version();
        if (found !== seen) replica.thread.sync();
        seen = found;
      })
    : db;
  const writes = {
    withLock: <T>(work: () => T) => client.withLock(work),
    ...(replica
      ? catchingUpWith(client, replica.thread)
      : { caughtUp: async () => true, isCaughtUp: () => true }),
  };
  setRemoteWrites(db, writes);
  setRemoteWrites(current, writes);
  setSharedConnection({
    program: db,
    ...{ current, version },
    commits: () => client.commits,
    configure,
  });
  return db;
}

/** Waits like the program, only for the commits of this connection. */
function catchingUpWith(client: ReplicaClient, thread: SyncThread) {
  let visible = 0;
  const isCaughtUp = () => client.commits <= visible;
  return {
    isCaughtUp,
    async caughtUp(): Promise<boolean> {
      const { commits } = client;
      if (!isCaughtUp()) await thread.caughtUp();
      visible = Math.max(visible, commits);
      return true;
    },
  };
}
