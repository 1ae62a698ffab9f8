import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type DatabaseState, inspectDatabase } from '@app/db/inspect';
import { pendingMigrations } from '@app/db/migrate';
import { moveOf } from '@app/db/move/move-state';
import { isSqliteError, quickCheck, shortTimeout, withReadOnly } from '@app/db/read-only';
import { logSize } from '@app/db/write-ahead-log';
import { megabytes } from '../../cli/megabytes.ts';
import { migrationsFolder } from '../../migrations-folder.ts';
import { type Finding, type FolderCheck, failure, ok, skipped, warning } from '../check.ts';

/** Such a database is read in a few seconds. Backups check larger ones. */
const maxCheckedBytes = 300e6;

/** Checkpoints run every few minutes, so a larger log means that a reader never ends. */
const maxWalBytes = 256e6;

export const database: FolderCheck = {
  name: 'database',
  needs: 'folder',
  blocks: true,
  async run({ databaseFile: file }) {
    try {
      const state = inspectDatabase(file, shortTimeout);
      const problem = problemOf(state, basename(file));
      return problem ? [problem] : inspectOwn(file);
    } catch (error) {
      return [explain(error)];
    }
  },
};

function problemOf(found: DatabaseState, name: string): Finding | null {
  switch (found.state) {
    case 'missing':
    case 'empty':
      return failure(
        `DATA_DIR has ${found.state === 'missing' ? 'no database' : 'an empty database'}.`,
        "Set DATA_DIR to the server's folder, start the server once, or restore a backup with `pnpm cli restore`.",
      );
    case 'foreign':
      return failure(
        `${name} belongs to another program.`,
        'Set DATA_DIR to a separate folder for this site.',
      );
    case 'newer':
      return failure(
        'A newer version has migrated the database, so this version cannot start.',
        'Start the newer version, or go back with `pnpm cli restore` and the newest file in DATA_DIR/before-migration.',
      );
    case 'damaged':
      return failure(
        `The database file is damaged or not a database (${found.reason}).`,
        'Stop the server, and restore the last backup with `pnpm cli restore <file>`.',
      );
    case 'unused':
    case 'inUse':
      return null;
  }
}

function inspectOwn(file: string): Finding[] {
  const bytes = statSync(file).size;
  const walBytes = logSize(file);
  const findings: Finding[] = [];
  withReadOnly(file, (db) => {
    const move = moveOf(db.$client);
    if (move?.state === 'moved') {
      findings.push(
        failure(
          `The database was moved to ${move.other}, so nothing can be saved.`,
          'Change DATABASE_URL, and restart the server. To undo the move, without what was saved there, run `pnpm cli database reopen`.',
        ),
      );
    }
    const { pending } = pendingMigrations(db, migrationsFolder);
    if (pending > 0) {
      findings.push(
        warning(
          `The database lacks ${pending} ${pending === 1 ? 'migration' : 'migrations'} of this version.`,
          'Restart the server, which copies the database and migrates it.',
        ),
      );
    }
    if (bytes > maxCheckedBytes) {
      findings.push(
        skipped(
          `The database is too large to check here (${megabytes(bytes)}): \`pnpm cli backup\` checks every page of a copy.`,
        ),
      );
      return;
    }
    const damage = quickCheck(db);
    if (damage !== null) {
      findings.push(
        failure(
          `The database is damaged (${damage}).`,
          'Stop the server, and restore the last backup with `pnpm cli restore <file>`.',
        ),
      );
    }
  });
  if (walBytes > maxWalBytes) {
    findings.push(
      warning(
        `The write-ahead log is ${megabytes(walBytes)}.`,
        'End other programs that keep the database open, such as sqlite3, then restart the server.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(`The database is intact (${megabytes(bytes)}).`)];
}

function explain(error: unknown): Finding {
  const { code = '', message } = error as { code?: string; message: string };
  if (!isSqliteError(error) && !/^E[A-Z]+$/.test(code)) throw error;
  if (code.startsWith('SQLITE_BUSY')) {
    return warning(
      'Another program has locked the database, so it was not checked.',
      'Wait for it to end, such as a migration or a restore, then try again.',
    );
  }
  return failure(
    `The database cannot be read (${message}).`,
    'Run this command as the user of the server, who owns DATA_DIR.',
  );
}
