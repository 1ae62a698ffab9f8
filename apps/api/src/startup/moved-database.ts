import { moveOf } from '@app/db/move/move-state';
import type { Database } from '@app/db/open';
import { withReadOnly } from '@app/db/read-only';
import { serverSecrets } from '@app/db/schema/server';
import { eq } from 'drizzle-orm';
import { StartupError } from '../startup-error.ts';

/** @throws {StartupError} if the database was moved to a server */
export function requireOwnInUse({ $client: client }: Database, dataDir: string): void {
  const move = moveOf(client);
  if (move?.state !== 'moved') return;
  throw new StartupError(
    `The database in DATA_DIR ${dataDir} was moved to ${move.other}: set DATABASE_URL. To use this one again, without what was saved there, run \`pnpm cli database reopen\`, then start again.`,
  );
}

/** @throws {StartupError} if the shared database was moved to DATA_DIR, or is not complete */
export function requireSharedInUse({ $client: client }: Database): void {
  const move = moveOf(client);
  if (move?.state === 'moved') {
    throw new StartupError(
      `The database of DATABASE_URL was moved to ${move.other}: unset DATABASE_URL on that server, and stop the others. To use this one again, without what was saved there, run \`pnpm cli database reopen\`, then start again.`,
    );
  }
  if (move?.state === 'incomplete') {
    throw new StartupError(
      `The database of DATABASE_URL is an incomplete copy of the one of ${move.other}: run \`pnpm cli database move\` there again to complete it.`,
    );
  }
}

/** Whether a database file was moved to a server. False if it cannot be read. */
export function isMovedFile(file: string): boolean {
  try {
    return withReadOnly(file, ({ $client: client }) => moveOf(client)?.state === 'moved');
  } catch {
    return false;
  }
}

/** @param file a database file that was moved to a server */
export function isSameSite(file: string, db: Database): boolean {
  const secret = withReadOnly(file, secretOf);
  // Without a secret, no server has used it.
  return secret === undefined || secret === secretOf(db);
}

/** Each database gets its own when a server first uses it. */
const secretOf = (db: Database): string | undefined =>
  db.select().from(serverSecrets).where(eq(serverSecrets.name, 'form-tokens')).get()?.value;
