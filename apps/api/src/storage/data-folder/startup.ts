import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseState, inspectDatabase } from '@app/db/inspect';
import { isOpenElsewhere } from '@app/db/open-elsewhere';
import { ownDatabaseFile } from '../../database-files.ts';
import type { Log } from '../../log.ts';
import { StartupError } from '../../startup-error.ts';
import { containsSite, containsUploads, existing, siteEntries } from './contents.ts';
import { moveAside } from './move-aside.ts';

/**
 * Checks that the database belongs to the site in DATA_DIR. With another database, the site's files
 * would be deleted as unused.
 * @param options.startNew moves an existing site aside, to start with an empty database
 * @throws {StartupError} if the operator has to decide
 */
export function prepareDataFolder(
  dataDir: string,
  { startNew, now, log }: { startNew: boolean; now: number; log: Log },
): void {
  const file = join(dataDir, ownDatabaseFile);
  const found = inspect(file);
  if (startNew && (found?.state === 'inUse' || found?.state === 'newer')) {
    throw new StartupError(
      `--new begins with an empty database, but ${file} is in use. Start without --new, or set DATA_DIR to an empty folder to begin another site.`,
    );
  }
  if (found?.state === 'foreign') {
    throw new StartupError(
      `${file} belongs to another program (its tables: ${found.tables.slice(0, 5).join(', ')}). Set DATA_DIR to a separate folder for this site.`,
    );
  }
  const problem = found && problemOf(found, dataDir);
  if (!problem) return;
  if (!startNew) {
    throw new StartupError(
      `${problem} (${dataDir}). A backup is restored with \`pnpm cli restore FILE\`, which says how to move these files aside; \`npm start -- --new\` moves the old files into a folder there and begins with an empty site.`,
    );
  }
  const aside = moveSiteAside(dataDir, now);
  if (aside) log.warn({ aside }, 'moved the old site aside; starting with an empty one');
}

/** If it is killed in between, the next start refuses the rest in the same way. */
function moveSiteAside(dataDir: string, now: number): string | null {
  const file = join(dataDir, ownDatabaseFile);
  // Before listing the files: SQLite removes the log of a database that no process has open.
  if (isOpenElsewhere(file)) {
    throw new StartupError(
      `Another program has ${file} open, such as Litestream, a backup or sqlite3: end it, then try again. Nothing was changed.`,
    );
  }
  const names = existing(dataDir, siteEntries);
  const { dev } = statSync(dataDir);
  const mounted = names.find((name) => lstatSync(join(dataDir, name)).dev !== dev);
  if (mounted) {
    throw new StartupError(
      `${join(dataDir, mounted)} is a mount point, which cannot be moved: unmount it, try again, copy the files that are in ${join(dataDir, mounted)} afterwards to its disk, and mount it again. Nothing was changed.`,
    );
  }
  return moveAside(dataDir, names, now);
}

/** Null if the site can be served with this database. */
function problemOf(found: DatabaseState, dataDir: string): string | null {
  const advice = 'restore site.db, or start with --new';
  switch (found.state) {
    case 'missing':
      return containsSite(dataDir) ? `DATA_DIR contains a site but no database: ${advice}` : null;
    case 'empty':
      return containsSite(dataDir)
        ? `DATA_DIR contains a site but its database is empty: ${advice}`
        : null;
    case 'unused':
      return containsUploads(dataDir)
        ? `DATA_DIR contains people's files but its database is empty: ${advice}`
        : null;
    case 'damaged':
      return `The database file is damaged or not a database (${found.reason}): ${advice}`;
    default:
      return null;
  }
}

/** Null if the file cannot be read: opening the database will report why. */
function inspect(file: string): DatabaseState | null {
  try {
    return inspectDatabase(file);
  } catch {
    return null;
  }
}
