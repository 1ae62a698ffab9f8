import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { describe, expect, test, vi } from 'vitest';
import {
  backupsForEachTest,
  changed,
  cli,
  databaseBytesWith,
  databaseWith,
  entriesOf,
  names,
  refused,
  rowsIn,
  writeArchive,
} from '../../testing/backups.ts';
import { makeDataDir } from '../../testing/blog.ts';

const someBackup = await backupsForEachTest();

/** @param rest follows the entry, which may announce more than it has */
async function writeTar(file: string, entry: object, rest: Buffer): Promise<void> {
  const tar = pack();
  tar.entry(entry as Header);
  const chunks: Buffer[] = [];
  tar.on('data', (chunk) => chunks.push(chunk as Buffer));
  await setImmediate();
  writeFileSync(file, gzipSync(Buffer.concat([...chunks, rest])));
}

describe.each<[string, (file: string) => unknown, RegExp]>([
  ['is cut off', (file) => truncate(file, statSync(file).size - 100), /damaged or not a backup/],
  ['is cut off in its database', (file) => truncate(file, 3_000), /damaged or not a backup/],
  ['is empty', (file) => truncate(file, 0), /damaged or not a backup|it is empty/],
  ['has another format', (file) => writeFileSync(file, 'x'.repeat(999)), /damaged or not a/],
  [
    'has other bytes',
    (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0, bytes.length - 3_000, bytes.length - 2_900));
    },
    /damaged|does not belong in it/,
  ],
  [
    'lacks its database',
    changed((entries) => entries.delete('site.db')),
    /avatar-\d+\.webp does not belong in it/,
  ],
  [
    'has two databases',
    async (file) => {
      const entries = [...(await entriesOf(file))];
      await writeArchive(file, [...entries, ...entries.slice(0, 1)]);
    },
    /site\.db does not belong in it/,
  ],
  [
    'has a file outside of DATA_DIR',
    changed((entries) => entries.set('uploads/avatars/../../../x', Buffer.from('x'))),
    /\.\.\/x does not belong in it/,
  ],
  [
    'has a file of another kind',
    changed((entries) => entries.set('uploads/avatars/notes.txt', Buffer.from('x'))),
    /notes\.txt does not belong in it/,
  ],
  [
    'has less than its entry announces',
    (file) => writeTar(file, { name: 'site.db', size: 99_000 }, Buffer.alloc(9)),
    /damaged or not a backup/,
  ],
  [
    'unpacks to more than the disk has space for',
    (file) => writeTar(file, { name: 'site.db', size: 2 ** 52 }, Buffer.alloc(9)),
    /its database needs \d+\.\d MB, and the disk of .* has \d+\.\d MB of free space/,
  ],
  [
    'has a header that fills the memory',
    (file) => {
      const size = 16_000_000;
      return writeTar(file, { name: 'x', type: 'pax-header', size }, Buffer.alloc(size, 'x'));
    },
    /Header exceeds max size/,
  ],
  [
    'has an uploaded file that fills the memory',
    changed((entries) => {
      const [, picture = ''] = entries.keys();
      entries.set(picture, Buffer.alloc(60_000_000));
    }),
    /avatar-\d+\.webp does not belong in it/,
  ],
  [
    'has a damaged database',
    databaseBytesWith((bytes) => bytes.fill(0xff, bytes.length - 8_000)),
    /the database is damaged|malformed/,
  ],
  [
    'has rows that refer to missing rows',
    databaseWith("UPDATE blog_posts SET author_id = 'nobody'"),
    /rows of blog_posts violate foreign keys/,
  ],
  [
    'has a database of another program',
    databaseWith('DELETE FROM __drizzle_migrations'),
    /its database does not belong to this program/,
  ],
  [
    'has a database of a newer version',
    databaseWith(
      "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
    ),
    /made by a newer version of this program: use that version/,
  ],
])('an archive that %s', (_what, damage, reason) => {
  test('is refused by restore, which leaves nothing', async () => {
    const { file } = someBackup();
    await damage(file);
    const parent = makeDataDir();
    const [empty, missing] = [join(parent, 'empty'), join(parent, 'missing/data')];
    mkdirSync(empty);
    for (const dataDir of [empty, missing]) {
      const err = await refused(dataDir, 'restore', file);
      expect(err).toMatch(reason);
      expect(err).toMatch(/cannot be restored: .*\. Nothing was changed\.\n$/);
    }
    expect(names(parent)).toEqual(['empty']);
    expect(names(empty)).toEqual([]);
  });

  test('is reported by verify', async () => {
    const { file } = someBackup();
    await damage(file);
    const err = await refused(join(makeDataDir(), 'none'), 'verify', file);
    expect(err).toMatch(reason);
    expect(err).toMatch(/site\.tar\.gz is not a usable backup: .*\.\n$/);
  });
});

test('an archive of an earlier version, with a manifest, is restored', async () => {
  const { file, rows } = someBackup();
  await changed((entries) => entries.set('manifest.json', Buffer.from('{}')))(file);
  const dataDir = makeDataDir();
  expect(await cli(dataDir, 'restore', file)).toMatchObject({ exitCode: 0 });
  expect(rowsIn(dataDir)).toEqual(rows);
});

describe('verify', () => {
  test('reports the contents of a complete backup, without DATA_DIR and without leaving files', async () => {
    const { file } = someBackup();
    const folder = makeDataDir();
    const temporary = makeDataDir();
    vi.stubEnv('TMPDIR', temporary);
    expect(tmpdir()).toBe(temporary);
    const before = readFileSync(file);
    expect(await cli(join(folder, 'none'), 'verify', file)).toEqual({
      exitCode: 0,
      out: expect.stringMatching(
        /site\.tar\.gz \(0\.\d MB\) is a complete backup of 2026-03-01 12:00 UTC: 1 account, 1 post, 0 messages, 4 uploaded files\.\nIts database has the schema of this version\.\n$/,
      ),
      err: 'Reading the backup …\nChecking the database …\n',
    });
    expect(names(folder)).toEqual([]);
    expect(names(temporary)).toEqual([]);
    expect(readFileSync(file)).toEqual(before);
  });

  test('accepts an older schema, and says so', async () => {
    const { file } = someBackup();
    await databaseWith(
      'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
    )(file);
    const { exitCode, out } = await cli(makeDataDir(), 'verify', file);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(
        /\nIt was made by an older version: the first start after a restore migrates it\.\n$/,
      ),
    });
  });

  test('reports files that the database refers to but the archive lacks', async () => {
    const { file } = someBackup();
    let gone = '';
    await changed((entries) => {
      [, gone = ''] = entries.keys();
      entries.delete(gone);
    })(file);
    const { exitCode, out } = await cli(makeDataDir(), 'verify', file);
    expect(exitCode).toBe(0);
    expect(out).toContain(`Not in the backup, because it was gone: ${gone}\n`);
    expect(out).toContain(', 3 uploaded files.');
  });

  test('leaves no files when interrupted', async () => {
    const { dataDir, file } = someBackup();
    const temporary = makeDataDir();
    vi.stubEnv('TMPDIR', temporary);
    const result = refused(dataDir, 'verify', file);
    process.emit('SIGTERM');
    expect(await result).toContain('Interrupted: nothing was changed.\n');
    expect(names(temporary)).toEqual([]);
  });

  test.each([
    ['a folder', (folder: string) => folder, 'is a folder without backups: specify a file.\n'],
    ['a missing file', (folder: string) => join(folder, 'none'), /There is no file .*none\.\n$/],
  ])('refuses %s', async (_what, pathIn, reason) => {
    const folder = makeDataDir();
    expect(await refused(folder, 'verify', pathIn(folder))).toMatch(reason);
  });

  test.each([
    ['no file', ''],
    ['two files', 'a b'],
  ])('rejects %s', async (_what, line) => {
    const { exitCode } = await cli(makeDataDir(), 'verify', ...line.split(' ').filter(Boolean));
    expect(exitCode).toBe(2);
  });
});
