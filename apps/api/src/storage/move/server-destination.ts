import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspectTables } from '@app/db/inspect';
import { migrate } from '@app/db/migrate';
import { endMove, markIncomplete } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import { openReplica } from '@app/db/replica/open-replica';
import { serverSecrets } from '@app/db/schema/server';
import { CommandError } from '../../cli/errors.ts';
import { replicaFile } from '../../database-files.ts';
import type { DatabaseServer } from '../../env.ts';
import { migrationsFolder } from '../../migrations-folder.ts';
import { type Destination, incompleteMoveOf, untilCaughtUp } from './destination.ts';

/** A database on a libSQL server. The server of this site will start with its replica. */
export async function openServerDestination(
  server: DatabaseServer,
  { dataDir, signal }: { dataDir: string; signal: AbortSignal },
): Promise<Destination> {
  const file = join(dataDir, replicaFile);
  const { db, close, failure } = await openReplica({ ...server, file });
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(replicaFile)) chmodSync(join(dataDir, name), 0o600);
  }
  return {
    ...{ db, file, close, failure, name: server.url },
    isCopyOf: ({ id }) => incompleteMoveOf(db)?.id === id,
    async begin(move) {
      requireUnused(db, server.url);
      migrate(db, migrationsFolder);
      await markIncomplete(db, move);
      await untilCaughtUp({ db, file, failure }, signal);
    },
    async complete({ id }) {
      await endMove(db, id);
      await close();
      return null;
    },
  };
}

function requireUnused(db: Database, url: string): void {
  if (incompleteMoveOf(db)) return;
  const { state } = inspectTables(db.$client);
  // A move was interrupted after the migration. A server would have created its secrets.
  const isNew = state === 'unused' && !db.select().from(serverSecrets).get();
  if (state === 'empty' || isNew) return;
  throw new CommandError(
    'conflict',
    `The database at ${url} is not empty: choose an empty one, such as one in a new sqld folder.`,
  );
}
