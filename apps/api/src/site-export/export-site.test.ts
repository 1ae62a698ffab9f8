import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { lockFolder } from '@app/db/folder-lock';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { logChange } from '../publishing/log.ts';
import { isCompressible } from '../server/compressible.ts';
import { startWriting } from '../testing/blog.ts';
import { runCli } from '../testing/cli.ts';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp;
let folder: string;
let write: Awaited<ReturnType<typeof startWriting>>['write'];
let change: Awaited<ReturnType<typeof startWriting>>['change'];

beforeEach(async () => {
  testApp = await makeTestApp({ publishes: true });
  folder = join(mkdtempSync(join(tmpdir(), 'export-')), 'site');
  ({ write, change } = await startWriting(testApp));
  return async () => {
    await testApp[Symbol.asyncDispose]();
    rmSync(join(folder, '..'), { recursive: true });
  };
});

const run = (...options: string[]) => runCli(testApp, 'site', 'export', folder, ...options);

/** @returns the output of the command */
async function exportSite(...options: string[]): Promise<string> {
  const { exitCode, out, err } = await run(...options);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}

async function refusal(...options: string[]): Promise<string> {
  const before = existsSync(folder) ? filesIn(folder) : [];
  const { exitCode, out, err } = await run(...options);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(existsSync(folder) ? filesIn(folder) : []).toEqual(before);
  return err;
}

const filesIn = (at: string): string[] =>
  readdirSync(at, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.site-export'))
    .map((entry) => join(entry.parentPath, entry.name).slice(at.length + 1))
    .sort();

const inSite = (name: string): string => join(testApp.dataDir, 'site', name);
const inExport = (name: string): string => join(folder, 'public', name);

/** The export has the site's files, and each text compressed. */
function expectSameFiles(): void {
  const site = filesIn(join(testApp.dataDir, 'site/.'));
  const siblings = site.flatMap((name) =>
    isCompressible(name) ? [`${name}.br`, `${name}.gz`] : [],
  );
  expect(filesIn(join(folder, 'public'))).toEqual([...site, ...siblings].sort());
  for (const name of site) {
    const bytes = readFileSync(inSite(name));
    const exported = readFileSync(inExport(name));
    expect([name, exported.equals(bytes)]).toEqual([name, true]);
    if (!isCompressible(name)) continue;
    expect(brotliDecompressSync(readFileSync(inExport(`${name}.br`))).equals(bytes)).toBe(true);
    expect(gunzipSync(readFileSync(inExport(`${name}.gz`))).equals(bytes)).toBe(true);
  }
}

test('copies the published files, and then only what changed', async () => {
  await write('First');
  await testApp.deps.publisher.settled();
  expect(await exportSite()).toMatch(/site has \d+ files: \d+ written, 0 removed\.\n$/);
  expectSameFiles();
  const { ino } = statSync(inExport('index.html'));
  expect(await exportSite()).toMatch(/: 0 written, 0 removed\.\n$/);

  const { post } = await write('Second');
  await testApp.deps.publisher.settled();
  expect(await exportSite()).not.toMatch(/: 0 written/);
  expectSameFiles();
  await change(post, { published: false });
  await testApp.deps.publisher.settled();
  expect(await exportSite()).toMatch(/[1-9]\d* removed\.\n$/);
  expectSameFiles();
  expect(existsSync(inExport('blog/second.html'))).toBe(false);
  // Unchanged files keep their modification time, from which web servers derive ETags.
  expect(statSync(inExport('index.html')).ino).toBe(ino);
});

test('keeps files that are not its own', async () => {
  await exportSite();
  writeFileSync(inExport('verification.html'), 'mine');
  await write('First');
  await testApp.deps.publisher.settled();
  await exportSite();
  expect(readFileSync(inExport('verification.html'), 'utf8')).toBe('mine');
});

test('omits redirect pages if there is an API, which redirects', async () => {
  const { post } = await write('First');
  await change(post, { slug: 'moved' });
  await testApp.deps.publisher.settled();
  await exportSite();
  expect(existsSync(inExport('blog/first.html'))).toBe(true);
  await exportSite('--host', 'nginx', '--api', 'http://127.0.0.1:4321');
  expect(existsSync(inExport('blog/first.html'))).toBe(false);
  expect(existsSync(inExport('blog/feed.xml'))).toBe(false);
  expect(existsSync(inExport('blog/moved.html'))).toBe(true);
});

test('waits while a change is being published, and writes nothing until then', async () => {
  await write('First');
  const { db, publisher } = testApp.deps;
  await publisher.settled();
  // As if another process had committed it just now.
  logChange(db, testApp.clock.now(), ['/blog/first']);
  let isDone = false;
  const exporting = exportSite().finally(() => {
    isDone = true;
  });
  await expect.poll(() => existsSync(join(folder, '.site-export.lock'))).toBe(true);
  expect(isDone).toBe(false);
  expect(existsSync(inExport('index.html'))).toBe(false);
  await publisher.run();
  await exporting;
  expectSameFiles();
});

test('exports a consistent state while posts are being published', async () => {
  const numberOf = (slug: string): number => Number(slug.slice('post-'.length));
  for (let round = 0; round < 5; round += 1) {
    const writing = (async () => {
      await write(`Post ${2 * round}`);
      await write(`Post ${2 * round + 1}`);
    })();
    await Promise.all([writing, exportSite()]);
    // The list of the blog and the pages of posts change together.
    const list = readFileSync(inExport('blog.html'), 'utf8');
    const listed = [...list.matchAll(/"slug":"(post-\d+)"/g)].map(([, slug = '']) =>
      numberOf(slug),
    );
    const pages = filesIn(inExport('blog'))
      .flatMap((name) => /^(post-\d+)\.html$/.exec(name)?.[1] ?? [])
      .map(numberOf);
    expect(new Set(listed)).toEqual(new Set(pages));
  }
  await testApp.deps.publisher.settled();
  await exportSite();
  expectSameFiles();
});

test('rewrites files that may be incomplete after an interrupted export', async () => {
  await exportSite();
  const state = join(folder, '.site-export.json');
  const { files, ...rest } = JSON.parse(readFileSync(state, 'utf8'));
  writeFileSync(inExport('index.html'), 'half');
  writeFileSync(state, JSON.stringify({ ...rest, files: { ...files, 'public/index.html': '' } }));
  mkdirSync(join(folder, '.site-export.new'));
  writeFileSync(join(folder, '.site-export.new/left'), '');
  expect(await exportSite()).toMatch(/: 1 written/);
  expectSameFiles();
  expect(existsSync(join(folder, '.site-export.new'))).toBe(false);
});

test('refuses a folder that is not an earlier export', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'precious.txt'), '');
  expect(await refusal()).toContain(
    'is not empty and not an earlier export: choose another folder.',
  );
});

test('refuses DATA_DIR, folders in it, and folders that contain it', async () => {
  for (const path of [
    testApp.dataDir,
    join(testApp.dataDir, 'export'),
    join(testApp.dataDir, '..'),
  ]) {
    const { exitCode, err } = await runCli(testApp, 'site', 'export', path);
    expect([exitCode, err]).toEqual([1, expect.stringContaining('overlap')]);
  }
  expect(existsSync(join(testApp.dataDir, 'export/public'))).toBe(false);
});

test('writes and removes nothing through symbolic links', async () => {
  await write('First');
  await testApp.deps.publisher.settled();
  await exportSite();
  const elsewhere = join(folder, '../elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'first.html'), 'precious');
  rmSync(inExport('blog'), { recursive: true });
  symlinkSync(elsewhere, inExport('blog'));
  await write('Second');
  await testApp.deps.publisher.settled();
  expect((await run()).err).toContain('blog is a symbolic link: remove it.');
  expect(readdirSync(elsewhere)).toEqual(['first.html']);

  const state = join(folder, '.site-export.json');
  const { files, ...rest } = JSON.parse(readFileSync(state, 'utf8'));
  const outside = { ...files, 'public/blog/../../../elsewhere/first.html': 'x' };
  writeFileSync(state, JSON.stringify({ ...rest, files: outside }));
  expect((await run()).err).toContain('.site-export.json is damaged');
  // Files in a folder that has become a link are not removed.
  symlinkSync(elsewhere, inExport('gone'));
  writeFileSync(
    state,
    JSON.stringify({ ...rest, files: { ...files, 'public/gone/first.html': 'x' } }),
  );
  rmSync(inExport('blog'));
  await exportSite();
  expect(readFileSync(join(elsewhere, 'first.html'), 'utf8')).toBe('precious');
  // A file that is a link is replaced, but not its target.
  writeFileSync(state, JSON.stringify({ ...rest, files: { ...files, 'public/index.html': '' } }));
  rmSync(inExport('index.html'));
  symlinkSync(join(elsewhere, 'first.html'), inExport('index.html'));
  await exportSite();
  expect(readFileSync(join(elsewhere, 'first.html'), 'utf8')).toBe('precious');
  expect(readFileSync(inExport('index.html'))).toEqual(readFileSync(inSite('index.html')));
});

test('refuses to export twice at the same time', async () => {
  await exportSite();
  const unlock = lockFolder(folder, '.site-export.lock');
  onTestFinished(() => unlock?.());
  expect(await refusal()).toContain('Another export is writing to');
});

test('refuses a folder that cannot be created', async () => {
  const { exitCode, err } = await runCli(testApp, 'site', 'export', '/proc/export');
  expect([exitCode, err]).toEqual([1, expect.stringContaining("'/proc/export'. Make sure that")]);
});

test('refuses a site that an earlier version published', async () => {
  rmSync(`${realpathSync(join(testApp.dataDir, 'site'))}.json`);
  expect(await refusal()).toContain('was published by an earlier version: start the server');
});

test('refuses to export if no site is published', async () => {
  rmSync(join(testApp.dataDir, 'site'));
  expect(await refusal()).toContain('No site is published in DATA_DIR');
});

test.each([
  [['--host', 'apache'], '"apache" is not a valid host: use caddy, nginx,'],
  [['--host', 'caddy'], "--host caddy needs the server's URL: --api http://127.0.0.1:4321."],
  [
    ['--host', 'netlify', '--api', 'http://a.example'],
    'netlify needs a URL that starts with https',
  ],
  [['--api', 'https://a.example/path'], 'expected an origin, such as https://api.example.com.'],
  [['--api', 'ftp://a.example'], 'expected an origin'],
  [['--api', 'https://user@a.example'], 'expected an origin'],
  [['more'], 'Unexpected argument "more".'],
])('rejects the arguments %j', async (options, reason) => {
  const { exitCode, err } = await run(...options);
  expect([exitCode, err]).toEqual([2, expect.stringContaining(reason)]);
  expect(existsSync(folder)).toBe(false);
});
