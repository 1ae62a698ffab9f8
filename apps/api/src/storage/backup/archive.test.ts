import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { verifySnapshot } from '@app/db/snapshot';
import { type Header, pack } from 'tar-stream';
import { describe, expect, test, vi } from 'vitest';
import {
  backupsForEachTest,
  changed,
  cli,
  databaseBytesWith,
  databaseWith,
  entriesOf,
  manifestWith,
  names,
  refused,
  rowsIn,
  writeArchive,
} from '../../testing/backups.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { readArchive } from './archive.ts';

const someBackup = await backupsForEachTest();

const picture = (entries: Map<string, Buffer>): string => [...entries.keys()][1] ?? '';

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
  ['is empty', (file) => truncate(file, 0), /damaged or not a backup|its manifest is missing/],
  ['has another format', (file) => writeFileSync(file, 'x'.repeat(999)), /damaged or not a/],
  [
    'has another database',
    changed((entries) => entries.get('site.db')?.write('x', 50_000)),
    /site\.db has changed since/,
  ],
  [
    'has another picture',
    changed((entries) => entries.set(picture(entries), Buffer.from('other'))),
    /avatar-\d+\.webp has changed since/,
  ],
  ['lacks a picture', changed((entries) => entries.delete(picture(entries))), /is missing from it/],
  ['lacks its database', changed((entries) => entries.delete('site.db')), /site\.db is missing/],
  [
    'lacks its manifest',
    changed((entries) => entries.delete('manifest.json')),
    /incomplete, its manifest is missing/,
  ],
  [
    'has two manifests',
    async (file) => {
      const entries = [...(await entriesOf(file))];
      await writeArchive(file, [...entries, ...entries.slice(-1)]);
    },
    /manifest\.json does not belong in it/,
  ],
  [
    'has a file outside of DATA_DIR',
    changed((entries) => entries.set('uploads/avatars/../../../x', Buffer.from('x'))),
    /\.\.\/x does not belong in it/,
  ],
  [
    'has an extra file',
    changed((entries) => entries.set('uploads/avatars/u/avatar-1.webp', Buffer.from('x'))),
    /avatar-1\.webp is not in its manifest/,
  ],
  [
    'unpacks to more than the disk has space for',
    (file) => writeTar(file, { name: 'site.db', size: 2 ** 52 }, Buffer.alloc(9)),
    /its files need more than the \d+ MB that are free on the disk/,
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
    'ends with zeros',
    async (file) => {
      const tar = gunzipSync(readFileSync(file));
      writeFileSync(file, gzipSync(Buffer.concat([tar, Buffer.alloc(16_000_000)])));
    },
    /more data than its entries have/,
  ],
  [
    'is of a newer format',
    manifestWith((manifest) => {
      manifest.format = 2;
    }),
    /made by a newer version/,
  ],
  [
    'has a manifest of another program',
    changed((entries) => entries.set('manifest.json', Buffer.from('{}'))),
    /its manifest\.json was not written by this program/,
  ],
  [
    'has fewer rows than its manifest says',
    manifestWith((manifest) => {
      manifest.counts['blog_posts'] = 2;
    }),
    /its manifest\.json counts 2 rows of blog_posts, its database has 1/,
  ],
  [
    'has a table that is not in its manifest',
    databaseWith('CREATE TABLE extra (id TEXT)'),
    /its manifest\.json counts no rows of extra, its database has 0/,
  ],
  [
    'has a manifest with another schema version',
    manifestWith((manifest) => {
      manifest.versions.schema = 1;
    }),
    /its manifest\.json and its database have different schema versions/,
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
  test('is refused by restore, which changes nothing', async () => {
    const { dataDir, file } = someBackup();
    await damage(file);
    const before = { rows: rowsIn(dataDir), files: readdirSync(dataDir, { recursive: true }) };
    const err = await refused(dataDir, 'restore', file, '--replace');
    expect(err).toMatch(reason);
    expect(err).toMatch(/cannot be restored: .*\. Nothing was changed\.\n$/);
    const after = readdirSync(dataDir, { recursive: true }).filter(
      (name) => !String(name).startsWith('server.lock'),
    );
    expect({ rows: rowsIn(dataDir), files: after }).toEqual(before);
  });

  test('is reported by verify', async () => {
    const { file } = someBackup();
    await damage(file);
    const err = await refused(join(makeDataDir(), 'none'), 'verify', file);
    expect(err).toMatch(reason);
    expect(err).toMatch(/site\.tar\.gz is not a usable backup: .*\.\n$/);
  });
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
    const database = join(makeDataDir(), 'site.db');
    writeFileSync(database, (await entriesOf(file)).get('site.db') ?? '');
    await manifestWith((manifest) => {
      manifest.versions.schema = verifySnapshot(database).schemaVersion;
      manifest.counts['__drizzle_migrations'] = (manifest.counts['__drizzle_migrations'] ?? 0) - 1;
    })(file);
    const { exitCode, out } = await cli(makeDataDir(), 'verify', file);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(
        /\nIt was made by an older version: the first start after a restore migrates it\.\n$/,
      ),
    });
  });

  test('reports files that were missing when the backup was made', async () => {
    const { file } = someBackup();
    await manifestWith((manifest) => {
      manifest.missing.push('uploads/avatars/u/avatar-1.webp');
    })(file);
    const { exitCode, out } = await cli(makeDataDir(), 'verify', file);
    expect(exitCode).toBe(0);
    expect(out).toContain(
      'Not in the backup, because it was gone from DATA_DIR: uploads/avatars/u/avatar-1.webp\n',
    );
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
    ['a folder', (folder: string) => folder, 'is a folder without archives: specify a file.\n'],
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

test('an archive with too many files is refused', async () => {
  const { file } = someBackup();
  const reading = {
    source: createReadStream(file),
    bytes: 1,
    folder: makeDataDir(),
    unpacks: 'database',
    signal: AbortSignal.timeout(60_000),
    onProgress: () => undefined,
  } as const;
  await expect(readArchive({ ...reading, maxFiles: 2 })).rejects.toThrow('has more than 2 files');
});
