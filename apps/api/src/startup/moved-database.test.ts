import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { serverSecrets } from '@app/db/schema/server';
import { expect, onTestFinished, test } from 'vitest';
import { isSameSite } from './moved-database.ts';

function openDatabase(secret?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'moved-'));
  const file = join(folder, 'site.db');
  const db = open(file);
  onTestFinished(() => {
    close(db);
    rmSync(folder, { recursive: true });
  });
  migrate(db);
  if (secret !== undefined) {
    db.insert(serverSecrets).values({ name: 'form-tokens', value: secret }).run();
  }
  return { db, file };
}

test.each([
  ['recognizes a moved database of the same site', 'one', 'one', true],
  ['rejects a moved database of another site', 'one', 'other', false],
  ['accepts a moved database that no server has used', undefined, 'one', true],
])('%s', (_what, moved, shared, expected) => {
  expect(isSameSite(openDatabase(moved).file, openDatabase(shared).db)).toBe(expected);
});
