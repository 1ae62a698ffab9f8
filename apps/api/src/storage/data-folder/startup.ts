import { join } from 'node:path';
import { type DatabaseState, inspectDatabase } from '@app/db/inspect';
import { ownDatabaseFile } from '../../database-files.ts';
import type { Log } from '../../log.ts';
import { StartupError } from '../../startup-error.ts';
import { containsSite, containsUploads } from './contents.ts';
import { finishReplacing, ReplaceError, replaceSite } from './replace.ts';

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
  finishReplacing(dataDir);
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
      `${problem} (${dataDir}). A backup is restored with \`pnpm cli restore FILE --replace\`; \`npm start -- --new\` moves the old files into a folder there and begins with an empty site.`,
    );
  }
  const aside = moveAside(dataDir, now);
  if (aside) log.warn({ aside }, 'moved the old site aside; starting with an empty one');
}

function moveAside(dataDir: string, now: number): string | null {
  try {
    return replaceSite(dataDir, { now });
  } catch (error) {
    if (!(error instanceof ReplaceError)) throw error;
    throw new StartupError(`${error.message}. Nothing was changed.`, { cause: error });
  }
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
