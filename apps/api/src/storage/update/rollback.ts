import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDatabase } from '@app/db/inspect';
import { verifySnapshot } from '@app/db/snapshot';
import { ownDatabaseFile } from '../../database-files.ts';
import { syncNow } from '../../files/atomic-files.ts';
import { databaseFiles } from '../data-folder/contents.ts';
import {
  finishReplacing,
  lockSite,
  ReplaceError,
  replaceSite,
  stagingFolder,
} from '../data-folder/replace.ts';
import type { DatabaseCopy } from './copies.ts';

/**
 * Moves the database aside and puts a copy in its place (see `replaceSite`): a killed process leaves
 * one or the other. Uploaded files are not touched. The next start publishes what the database has.
 * @param now milliseconds since 1970
 * @returns the folder with the previous database; null if there was none
 * @throws {ReplaceError}
 */
export function rollBack(dataDir: string, copy: DatabaseCopy, now: number): string | null {
  const unlock = lockSite(dataDir);
  try {
    finishReplacing(dataDir);
    const staging = stagingFolder(dataDir);
    mkdirSync(staging, { mode: 0o700 });
    const staged = join(staging, ownDatabaseFile);
    copyFileSync(copy.file, staged);
    chmodSync(staged, 0o600);
    check(staged, copy);
    syncNow(staged);
    syncNow(staging);
    return replaceSite(dataDir, { now, incoming: [ownDatabaseFile], outgoing: databaseFiles });
  } finally {
    finishReplacing(dataDir);
    unlock();
  }
}

function check(file: string, { name }: DatabaseCopy): void {
  const { state } = inspectDatabase(file);
  if (state === 'newer') {
    throw new ReplaceError(`${name} was written by a newer version: this one cannot read it`);
  }
  try {
    verifySnapshot(file);
  } catch (cause) {
    throw new ReplaceError(`${name} cannot be used (${(cause as Error).message})`, { cause });
  }
}
