import { test } from 'vitest';
import { testDatabaseKind } from './test-database-kind.ts';

const isFile = testDatabaseKind === 'file';

/** For tests of what only a file has. On a server they are skipped, and their names say why. */
export function testOnFile(name: string, reason: string, run: () => unknown): void {
  test.runIf(isFile)(isFile ? name : `${name} (only on files: ${reason})`, run);
}
