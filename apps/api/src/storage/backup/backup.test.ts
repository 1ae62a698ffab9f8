import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureFiles } from '@app/contract/blog/pictures';
import { lockFolder } from '@app/db/folder-lock';
import { close, open } from '@app/db/open';
import { extract, pack } from 'tar-stream';
import { afterAll, describe, expect, test } from 'vitest';
import { makeDataDir } from '../../testing/blog.ts';
import { runCli } from '../../testing/cli.ts';
import { fileForm, plainPicture, putAvatar } from '../../testing/pictures.ts';
import { allRows } from '../../testing/tables.ts';
import { MovingClock, makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';
import type { BackupManifest } from './manifest.ts';

const clock = new MovingClock();

const cli = (dataDir: string, ...args: string[]) => runCli({ dataDir, clock }, ...args);

async function refused(dataDir: string, ...args: string[]): Promise<string> {
  const { exitCode, out, err } = await cli(dataDir, ...args);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(err).not.toMatch(/^\s+at /m);
  return err;
}

const savedPicture = async (browser: Awaited<ReturnType<typeof signedInBrowser>>) => {
  const response = await putAvatar(browser, await plainPicture().png().toBuffer());
  return ((await response.json()) as AvatarSaved).avatarUrl;
};

/** With an author, a post and an avatar. */
async function fill(testApp: TestApp) {
  const ann = await signedInBrowser(testApp);
  const body = fileForm(await plainPicture(30, 20).png().toBuffer());
  const stored = await ann.request('POST', '/api/posts/pictures', { body });
  const picture = (await stored.json()) as Picture;
  await ann.post('/api/posts', { title: 'Hello', content: 'Text', published: true });
  return { ann, picture, avatarUrl: await savedPicture(ann) };
}

/** Shared by tests, because creating it is slow. */
const made = await (async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  await fill(testApp);
  await testApp.deps.avatars.settled();
  expect(await cli(dataDir, 'backup', join(folder, 'site.tar.gz'))).toMatchObject({ exitCode: 0 });
  return { folder, rows: allRows(testApp.deps.db) };
})();
afterAll(() => rmSync(made.folder, { recursive: true }));

function someBackup(): { dataDir: string; file: string; rows: unknown } {
  const folder = makeDataDir();
  cpSync(made.folder, folder, { recursive: true, verbatimSymlinks: true });
  return { dataDir: join(folder, 'data'), file: join(folder, 'site.tar.gz'), rows: made.rows };
}

async function entriesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>();
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) entries.set(entry.header.name, await buffer(entry));
  return entries;
}

async function archiveOf(entries: Iterable<[string, Buffer]>): Promise<Buffer> {
  const tar = pack();
  for (const [name, bytes] of entries) tar.entry({ name }, bytes);
  tar.finalize();
  return gzipSync(await buffer(tar));
}

function rowsIn(dataDir: string): unknown {
  const db = open(join(dataDir, 'site.db'));
  try {
    return allRows(db);
  } finally {
    close(db);
  }
}

const names = (folder: string): string[] => readdirSync(folder).sort();

describe('a backup', () => {
  test('contains the database and the avatars it refers to, and reports them', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann, picture } = await fill(testApp);
    // Replaced, so no longer used.
    const avatarUrl = await savedPicture(ann);
    await testApp.deps.avatars.settled();
    const folder = makeDataDir();
    const file = join(folder, 'site.tar.gz');
    const { exitCode, out, err } = await cli(testApp.dataDir, 'backup', file);

    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/ has 1 account, 1 post, 0 messages, 4 uploaded files\.\n$/),
    });
    expect(err).toMatch(/^Copying the database …\nChecking its copy \(0\.\d MB\) …\n$/);
    expect(names(folder)).toEqual(['site.tar.gz']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const entries = await entriesOf(await readFile(file));
    const pictures = [
      ...[avatarUrl, avatarUrl.replace('.webp', '-96.webp')].map((url) => url.slice(1)),
      ...pictureFiles(picture).map((url) => `uploads${url}`),
    ];
    expect([...entries.keys()]).toEqual(['site.db', ...pictures, 'manifest.json']);
    for (const name of pictures) {
      expect(entries.get(name)).toEqual(readFileSync(join(testApp.dataDir, name)));
    }
    const manifest = JSON.parse(String(entries.get('manifest.json'))) as BackupManifest;
    expect(manifest).toMatchObject({
      format: 1,
      createdAt: '2026-03-01T12:00:00.000Z',
      counts: { users: 1, blog_posts: 1, profiles: 1 },
      missing: [],
    });
    expect(Object.keys(manifest.files)).toEqual(['site.db', ...pictures]);
  });

  test('contains nothing of deleted rows', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann } = await fill(testApp);
    const secret = 'a deleted sentence';
    const draft = { title: 'A draft', content: secret.repeat(200) };
    const created = await ann.post('/api/posts', draft);
    const { post } = (await created.json()) as { post: { id: string } };
    await ann.request('DELETE', `/api/posts/${post.id}`);
    await ann.post(`/api/posts/${post.id}/delete-forever`, {});
    const file = join(makeDataDir(), 'site.tar.gz');
    await cli(testApp.dataDir, 'backup', file);
    const database = (await entriesOf(await readFile(file))).get('site.db');
    expect(database?.includes(secret)).toBe(false);
  });

  test('includes referenced avatars from the trash, and reports missing ones', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann, avatarUrl } = await fill(testApp);
    const bob = await signedInBrowser(testApp, 'bob@example.com');
    const gone = await savedPicture(bob);
    await savedPicture(ann);
    await testApp.deps.avatars.settled();
    const { $client: client } = testApp.deps.db;
    client
      .prepare('UPDATE profiles SET avatar_url = ? WHERE avatar_url LIKE ?')
      .run(avatarUrl, `${avatarUrl.slice(0, 40)}%`);
    rmSync(join(testApp.dataDir, gone));
    const file = join(makeDataDir(), 'site.tar.gz');
    const { exitCode, err } = await cli(testApp.dataDir, 'backup', file);
    expect(exitCode).toBe(0);
    expect(err).toContain(`because it is gone from DATA_DIR: ${gone.slice(1)}\n`);
    const entries = await entriesOf(await readFile(file));
    expect(entries.has(avatarUrl.slice(1))).toBe(true);
    expect(entries.has(gone.slice(1))).toBe(false);
  });

  test.each([
    ['a file that is there', (folder: string) => join(folder, 'taken'), /taken exists already/],
    [
      'a folder that is not',
      (folder: string) => join(folder, 'none/site.tar.gz'),
      /no such file or directory.*: nothing was changed\./,
    ],
  ])('does not go to %s', async (_what, fileIn, reason) => {
    const { dataDir } = someBackup();
    const folder = makeDataDir();
    writeFileSync(join(folder, 'taken'), 'something');
    expect(await refused(dataDir, 'backup', fileIn(folder))).toMatch(reason);
    expect(names(folder)).toEqual(['taken']);
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('something');
  });

  test('of a damaged database fails', async () => {
    const { dataDir } = someBackup();
    const path = join(dataDir, 'site.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, bytes.length / 2));
    const folder = makeDataDir();
    expect(await refused(dataDir, 'backup', join(folder, 'b'))).toMatch(/malformed|damaged/);
    expect(names(folder)).toEqual([]);
  });

  test('leaves no files when interrupted', async () => {
    const { dataDir } = someBackup();
    const folder = makeDataDir();
    const result = refused(dataDir, 'backup', join(folder, 'site.tar.gz'));
    process.emit('SIGTERM');
    expect(await result).toContain('Interrupted: nothing was changed.\n');
    expect(names(folder)).toEqual([]);
    expect(process.listenerCount('SIGTERM')).toBe(0);
  });
});

describe('a restore', () => {
  test('restores the site into an empty folder', async () => {
    const { dataDir, file, rows } = someBackup();
    const target = join(makeDataDir(), 'new');
    expect(await cli(target, 'restore', file)).toEqual({
      exitCode: 0,
      out: 'Restored the backup of 2026-03-01 12:00 UTC: 1 account, 1 post, 0 messages, 4 uploaded files.\nStart the server: it renders all pages.\n',
      err: 'Unpacking …\nChecking the database …\n',
    });
    expect(rowsIn(target)).toEqual(rows);
    const pictures = readdirSync(join(dataDir, 'uploads'), { recursive: true }).sort();
    expect(readdirSync(join(target, 'uploads'), { recursive: true }).sort()).toEqual(pictures);
    expect(names(target).filter((name) => !name.startsWith('server.lock'))).toEqual([
      'site.db',
      'uploads',
    ]);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(join(target, 'site.db')).mode & 0o777).toBe(0o600);
  });

  test('moves an existing site aside only with --replace', async () => {
    const { dataDir, file, rows } = someBackup();
    {
      await using testApp = await makeTestApp({ publishes: true, dataDir });
      await signedInBrowser(testApp, 'bob@example.com');
    }
    const later = rowsIn(dataDir);
    const before = names(dataDir);
    expect(await refused(dataDir, 'restore', file)).toContain(
      'contains a site: set it to an empty folder, or add --replace',
    );
    expect(rowsIn(dataDir)).toEqual(later);
    expect(names(dataDir)).toEqual([...before, 'server.lock'].sort());

    const { exitCode, out } = await cli(dataDir, 'restore', file, '--replace');
    const previous = join(dataDir, 'previous-2026-03-01T12-00-00.000Z');
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining(`The site that was there before is in ${previous}.\n`),
    });
    expect(rowsIn(dataDir)).toEqual(rows);
    expect(rowsIn(previous)).toEqual(later);
    expect(names(previous)).toEqual(expect.arrayContaining(['releases', 'site', 'uploads']));
    expect(existsSync(join(dataDir, 'site'))).toBe(false);
  });

  test('is refused while a server uses the folder', async () => {
    const { dataDir, file } = someBackup();
    const before = rowsIn(dataDir);
    const unlock = lockFolder(dataDir);
    try {
      expect(await refused(dataDir, 'restore', file, '--replace')).toContain(
        `A server works on DATA_DIR ${dataDir}: stop it`,
      );
    } finally {
      unlock?.();
    }
    expect(rowsIn(dataDir)).toEqual(before);
  });

  const changed = (change: (entries: Map<string, Buffer>) => void) => async (file: string) => {
    const entries = await entriesOf(await readFile(file));
    change(entries);
    writeFileSync(file, await archiveOf(entries));
  };
  const manifestWith = (change: (manifest: BackupManifest) => void) =>
    changed((entries) => {
      const manifest = JSON.parse(String(entries.get('manifest.json'))) as BackupManifest;
      change(manifest);
      entries.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
    });
  const picture = (entries: Map<string, Buffer>): string => [...entries.keys()][1] ?? '';

  test.each<[string, (file: string) => unknown, RegExp]>([
    ['is cut off', (file) => truncate(file, statSync(file).size - 100), /damaged or not a backup/],
    ['is something else', (file) => writeFileSync(file, 'x'.repeat(999)), /damaged or not a/],
    [
      'has another database',
      changed((entries) => entries.get('site.db')?.write('x', 50_000)),
      /site\.db is not as it was/,
    ],
    [
      'has another picture',
      changed((entries) => entries.set(picture(entries), Buffer.from('other'))),
      /avatar-\d+\.webp is not as it was/,
    ],
    [
      'lacks a picture',
      changed((entries) => entries.delete(picture(entries))),
      /is missing from it/,
    ],
    [
      'lacks its manifest',
      changed((entries) => entries.delete('manifest.json')),
      /incomplete, its manifest is missing/,
    ],
    [
      'has a file outside of DATA_DIR',
      changed((entries) => entries.set('uploads/avatars/../../../x', Buffer.from('x'))),
      /\.\.\/x does not belong in it/,
    ],
    [
      'has a file more',
      changed((entries) => entries.set('uploads/avatars/u/avatar-1.webp', Buffer.from('x'))),
      /avatar-1\.webp is not in its manifest/,
    ],
    [
      'is of a newer format',
      manifestWith((manifest) => {
        manifest.format = 2;
      }),
      /made by a newer version/,
    ],
    [
      'has a manifest of something else',
      changed((entries) => entries.set('manifest.json', Buffer.from('{}'))),
      /its manifest\.json is not one of this program/,
    ],
  ])('of an archive that %s changes nothing', async (_what, damage, reason) => {
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

  test('of a database of a newer version changes nothing', async () => {
    const { dataDir } = someBackup();
    const db = open(join(dataDir, 'site.db'));
    const file = join(makeDataDir(), 'site.tar.gz');
    expect((await cli(dataDir, 'backup', file)).exitCode).toBe(0);
    const entries = await entriesOf(await readFile(file));
    const copy = join(makeDataDir(), 'site.db');
    writeFileSync(copy, entries.get('site.db') ?? '');
    close(db);
    const newer = open(copy);
    newer.$client.exec(
      "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
    );
    close(newer);
    const bytes = readFileSync(copy);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const manifest = JSON.parse(String(entries.get('manifest.json'))) as BackupManifest;
    manifest.files['site.db'] = { bytes: bytes.length, sha256 };
    entries.set('site.db', bytes);
    entries.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
    writeFileSync(file, await archiveOf(entries));
    const target = makeDataDir();
    expect(await refused(target, 'restore', file)).toContain('made by a newer version');
    expect(names(target).filter((name) => !name.startsWith('server.lock'))).toEqual([]);
  });

  test('reports a missing file', async () => {
    const target = makeDataDir();
    expect(await refused(target, 'restore', join(target, 'none'))).toMatch(/no such file/);
  });
});
