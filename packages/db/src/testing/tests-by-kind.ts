import { test } from 'vitest';
import { testDatabaseKind } from './test-database-kind.ts';

const isFile = testDatabaseKind === 'file';

/** For tests of what only a file has. On a server they are skipped, and their names say why. */
export function testOnFile(name: string, reason: string, run: () => unknown): void {
  test.runIf(isFile)(isFile ? name : `${name} (only on files: ${reason})`, run);
}

const isWatched = testDatabaseKind !== 'server';

/**
 * For tests that notice commits of another connection. Without a replica, `dataVersion` does not
 * change, but only commands run without one.
 */
export function testOfOtherCommits(name: string, run: () => unknown): void {
  test.runIf(isWatched)(isWatched ? name : `${name} (not without a replica)`, run);
}
