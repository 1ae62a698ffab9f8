import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import type { Database } from '@app/db/open';
import { verifySnapshot, writeSnapshot } from '@app/db/snapshot';
import { toIso } from '../../clock.ts';
import { syncNow } from '../../files/atomic-files.ts';

export interface DatabaseCopy {
  /** The file name, such as `0019_post_tags-2026-03-01T12-00-00.000Z.db`. */
  name: string;
  file: string;
  /** The newest migration in it. */
  schema: string;
  bytes: number;
  /** Milliseconds since 1970. */
  madeAt: number;
}

const maxCopies = 3;

/** Limited, because copies contain data that users have deleted since. */
const maxAgeMilliseconds = 30 * day;

const copiesFolder = (dataDir: string): string => join(dataDir, 'before-migration');

/** Newest first. */
export function listCopies(dataDir: string): DatabaseCopy[] {
  const folder = copiesFolder(dataDir);
  return namesIn(folder)
    .flatMap((name): DatabaseCopy[] => {
      const [, schema, date, time] =
        /^(\w+)-(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d\.\d{3})Z\.db$/.exec(name) ?? [];
      if (!schema || !time) return [];
      const file = join(folder, name);
      const madeAt = Date.parse(`${date}T${time.replaceAll('-', ':')}Z`);
      return [{ name, file, schema, bytes: statSync(file).size, madeAt }];
    })
    .sort((a, b) => b.madeAt - a.madeAt);
}

/**
 * Copies a database with this schema, checks every page of the copy and flushes it. A killed process
 * leaves a complete copy or none. Only the latest copy of each schema is kept, so that repeatedly
 * failing starts do not push out the copies of earlier updates, and three copies in total.
 * @param now milliseconds since 1970
 * @throws for failures of the disk, and if the database is damaged
 */
export function copyDatabase(
  db: Database,
  { dataDir, schema, now }: { dataDir: string; schema: string; now: number },
): string {
  const folder = copiesFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = join(folder, '.partial.db');
  // A killed process may have left one.
  rmSync(partial, { force: true });
  try {
    writeSnapshot(db, partial);
    verifySnapshot(partial);
    chmodSync(partial, 0o600);
    syncNow(partial);
    const name = `${schema}-${toIso(now).replaceAll(':', '-')}.db`;
    const file = join(folder, name);
    renameSync(partial, file);
    syncNow(folder);
    syncNow(dataDir);
    const others = listCopies(dataDir).filter((copy) => copy.name !== name);
    const replaced = others.filter((copy) => copy.schema === schema);
    const surplus = others.filter((copy) => copy.schema !== schema).slice(maxCopies - 1);
    for (const copy of [...replaced, ...surplus]) rmSync(copy.file);
    return file;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** @param now milliseconds since 1970 */
export function deleteOldCopies(dataDir: string, now: number): void {
  for (const { file, madeAt } of listCopies(dataDir)) {
    if (madeAt + maxAgeMilliseconds < now) rmSync(file);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
