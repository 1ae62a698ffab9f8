import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from './migrate.ts';
import { close, open } from './open.ts';
import { openCopy } from './open-copy.ts';
import { serverSecrets } from './schema/server.ts';
import { storageFailureOf } from './storage-failure.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'open-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('site-copy-'));

test('opens a read-only copy of all commits, and leaves no files', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'site.db');
  const db = open(file);
  migrate(db);
  db.insert(serverSecrets).values({ name: 'a', value: 'in the log' }).run();
  // As a killed process leaves it.
  const killed = join(folder, 'killed.db');
  copyFileSync(file, killed);
  copyFileSync(`${file}-wal`, `${killed}-wal`);
  close(db);
  const before = copies();

  const copy = openCopy(killed, migrations, (made) => {
    made.insert(serverSecrets).values({ name: 'b', value: 'prepared' }).run();
  });
  onTestFinished(() => close(copy));

  expect(copies()).toEqual(before);
  expect(
    copy
      .select()
      .from(serverSecrets)
      .all()
      .map(({ value }) => value),
  ).toEqual(['in the log', 'prepared']);
  let failure: unknown;
  try {
    copy.delete(serverSecrets).run();
  } catch (error) {
    failure = error;
  }
  expect(storageFailureOf(failure)).toBe('read-only');
});

test('throws without a database', () => {
  const before = copies();
  expect(() => openCopy(join(temporaryFolder(), 'site.db'), migrations, () => undefined)).toThrow(
    'ENOENT',
  );
  expect(copies()).toEqual(before);
});
