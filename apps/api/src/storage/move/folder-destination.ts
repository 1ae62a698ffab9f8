import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDatabase, inspectTables } from '@app/db/inspect';
import { migrate } from '@app/db/migrate';
import { endMove, markIncomplete, moveOf } from '@app/db/move/move-state';
import { close, type Database, open } from '@app/db/open';
import { isOpenElsewhere } from '@app/db/open-elsewhere';
import { withReadOnly } from '@app/db/read-only';
import { CommandError } from '../../cli/errors.ts';
import type { Clock } from '../../clock.ts';
import { ownDatabaseFile } from '../../database-files.ts';
import { syncNow } from '../../files/atomic-files.ts';
import { migrationsFolder } from '../../migrations-folder.ts';
import { databaseFiles, existing } from '../data-folder/contents.ts';
import { moveAside } from '../data-folder/move-aside.ts';
import { type Destination, incompleteMoveOf } from './destination.ts';

/** In DATA_DIR. Renamed when it is complete. */
const draftFile = 'moving-site.db';

const suffixes = ['', '-wal', '-shm'];

interface Options {
  /** Whether the source is marked as moved, which happens after everything was copied. */
  isSourceMoved: boolean;
  clock: Clock;
}

/** The database file of DATA_DIR. Moves aside an older one that was moved to a server. */
export function openFolderDestination(
  dataDir: string,
  { isSourceMoved, clock }: Options,
): Destination {
  const file = join(dataDir, draftFile);
  const db = openDraft(file, isSourceMoved);
  return {
    ...{ db, file, name: `DATA_DIR ${dataDir}`, failure: () => null },
    isCopyOf({ id }) {
      const move = incompleteMoveOf(db);
      // Without an incomplete move, the command was killed before the last rename.
      return move ? move.id === id : inspectTables(db.$client).state !== 'empty';
    },
    async begin(move) {
      requireReplaceable(dataDir);
      migrate(db, migrationsFolder);
      await markIncomplete(db, move);
    },
    close: async () => close(db),
    async complete({ id }) {
      requireReplaceable(dataDir);
      await endMove(db, id);
      close(db);
      chmodSync(file, 0o600);
      syncNow(file);
      const previous = moveAside(dataDir, existing(dataDir, databaseFiles), clock.now());
      renameSync(file, join(dataDir, ownDatabaseFile));
      syncNow(dataDir);
      return previous;
    },
  };
}

/** Opens the copy of an interrupted move, or a new one. */
function openDraft(file: string, isSourceMoved: boolean): Database {
  if (existsSync(file)) {
    const db = open(file);
    if (isSourceMoved || incompleteMoveOf(db)) return db;
    close(db);
    for (const suffix of suffixes) rmSync(file + suffix, { force: true });
  }
  return open(file);
}

function requireReplaceable(dataDir: string): void {
  const file = join(dataDir, ownDatabaseFile);
  const { state } = inspectDatabase(file);
  if (state === 'missing' || state === 'empty') return;
  const isMoved = withReadOnly(file, ({ $client }) => moveOf($client)?.state === 'moved');
  if (!isMoved) {
    throw new CommandError(
      'conflict',
      `DATA_DIR ${dataDir} has a database (${ownDatabaseFile}): set DATA_DIR to an empty folder.`,
    );
  }
  if (!isOpenElsewhere(file)) return;
  throw new CommandError(
    'conflict',
    `Another program has ${file} open, such as a server without DATABASE_URL: stop it, then try again.`,
  );
}
