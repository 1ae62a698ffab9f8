import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureFiles } from '@app/contract/blog/pictures';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openBucket } from '../../s3/bucket.ts';
import { s3UrlOf } from '../../s3/s3-url.ts';
import { fill, rowsIn } from '../../testing/backups.ts';
import { makeDataDir } from '../../testing/blog.ts';
import { cliJson, runCli } from '../../testing/cli.ts';
import { startFaultyS3 } from '../../testing/faulty-s3.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { savePost } from '../../testing/pictures.ts';
import { s3ServerForFile } from '../../testing/s3-server.ts';
import { databaseSettings, MovingClock, makeTestApp } from '../../testing/test-app.ts';

const server = s3ServerForFile();

const newUrl = (): string => server.urlOf(randomUUID());
const prefixOf = (url: string): string => new URL(url).pathname.slice(1);

const siteOf = (dataDir: string, url?: string, environment: Record<string, string> = {}) => ({
  dataDir,
  clock: new MovingClock(),
  environment: {
    ...{ ...databaseSettings(dataDir), ...server.environment, ...environment },
    ...(url !== undefined && { UPLOADS_URL: url }),
  },
});

const uploadsOf = (url: string | undefined) =>
  url === undefined ? {} : { settings: { uploads: server.uploadsAt(prefixOf(url)) } };

/** A stopped site with an avatar and pictures, in a bucket or in DATA_DIR. */
async function makeSite(url?: string) {
  const dataDir = makeDataDir();
  await using testApp = await makeTestApp({ dataDir, publishes: true, ...uploadsOf(url) });
  const { ann, picture, avatarUrl } = await fill(testApp);
  await savePost(ann, { slug: 'with-picture', content: `![](${picture.path})`, published: true });
  const zip = await ann.get('/api/account/export');
  const exported = Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer())));
  await testApp.deps.publisher.settled();
  await testApp.deps.avatars.settled();
  return { dataDir, picture, avatarUrl, exported };
}

type Site = Awaited<ReturnType<typeof makeSite>>;

/** Serves the site. @returns the distinct statuses of its files */
async function served({ picture, avatarUrl }: Site, dataDir: string, url?: string) {
  await using testApp = await makeTestApp({ dataDir, publishes: true, ...uploadsOf(url) });
  const browser = testApp.browser();
  const paths = [...pathsOf(picture), avatarUrl, smallAvatarUrl(avatarUrl)];
  const replies = await Promise.all(paths.map((path) => browser.get(path)));
  return [...new Set(replies.map(({ status }) => status))];
}

const pathsOf = (picture: Picture): string[] => pictureFiles(picture);

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

test('backs up, verifies and restores a site in a bucket, into a bucket or a folder', async () => {
  const url = newUrl();
  const site = await makeSite(url);
  expect(site.exported).toContain(site.picture.path.slice(1));
  const file = join(makeDataDir(), 'site.tar.gz');
  const made = await cliJson(siteOf(site.dataDir, url), 'backup', file);
  expect(made).toMatchObject({ uploadedFiles: 2 + pathsOf(site.picture).length, missing: [] });
  expect(await cliJson(siteOf('/nowhere'), 'verify', file)).toMatchObject({ missing: [] });

  for (const target of [newUrl(), undefined]) {
    const dataDir = join(makeDataDir(), 'new');
    const restored = await runCli(siteOf(dataDir, target), 'restore', file);
    expect(restored).toMatchObject({ exitCode: 0 });
    expect(rowsIn(dataDir)).toEqual(rowsIn(site.dataDir));
    expect(readdirSync(dataDir).includes('uploads')).toBe(target === undefined);
    expect(await served(site, dataDir, target)).toEqual([200]);
  }
});

test('changes nothing if the bucket fails during a restore or a backup', async () => {
  const site = await makeSite();
  const file = join(makeDataDir(), 'site.tar.gz');
  expect(await runCli(siteOf(site.dataDir), 'backup', file)).toMatchObject({ exitCode: 0 });
  const dataDir = makeDataDir();
  await using faulty = await startFaultyS3(server.endpoint);
  const url = `s3://backups/${randomUUID()}?endpoint=${faulty.endpoint}`;
  faulty.break('deny', { affects: (method) => method === 'PUT', passes: 2 });
  const restored = await runCli(siteOf(dataDir, url), 'restore', file);
  expect(restored).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('refuses access to backups (AccessDenied)'),
  });
  expect(readdirSync(dataDir)).toEqual([]);

  faulty.break('fail');
  const next = join(makeDataDir(), 'next.tar.gz');
  const backup = await runCli(siteOf(site.dataDir, url), 'backup', next);
  expect(backup).toMatchObject({ exitCode: 1, err: expect.stringContaining('replied 500') });
  expect(readdirSync(dirname(next))).toEqual([]);
});

test('exports posts from one bucket and imports them into another', async () => {
  const [from, to] = [newUrl(), newUrl()];
  const site = await makeSite(from);
  const folder = join(makeDataDir(), 'posts');
  const exported = await cliJson(siteOf(site.dataDir, from), 'posts', 'export', folder);
  expect(exported).toMatchObject({ posts: 2, pictures: 1 });
  const dataDir = makeDataDir();
  {
    await using _ = await makeTestApp({ dataDir });
  }
  await cliJson(siteOf(dataDir, to), 'posts', 'import', folder);
  await using testApp = await makeTestApp({ dataDir, ...uploadsOf(to) });
  expect((await testApp.browser().get(site.picture.path)).status).toBe(200);
});

describe('uploads move', () => {
  test('copies to a bucket and back, verifies each file, and continues after a failure', async () => {
    const site = await makeSite();
    const folder = join(site.dataDir, 'uploads');
    const trashed = 'trash/2026-03-01/avatars/gone/avatar-1.webp';
    mkdirSync(dirname(join(site.dataDir, trashed)), { recursive: true });
    writeFileSync(join(site.dataDir, trashed), 'old');
    const names = filesBelow(folder);
    const files = names.length + 1;
    const url = newUrl();

    await using faulty = await startFaultyS3(server.endpoint);
    faulty.break('deny', { affects: (method) => method === 'PUT', passes: 4 });
    const through = url.replace(server.endpoint, faulty.endpoint);
    const stopped = await runCli(siteOf(site.dataDir), 'uploads', 'move', '--to', through);
    expect(stopped).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('Run the command again to copy the rest.'),
    });
    const moved = await cliJson(siteOf(site.dataDir), 'uploads', 'move', '--to', url);
    expect(moved).toMatchObject({ from: 'folder', to: url, files, gone: 0, missing: [] });
    const { copied, existing } = moved as { copied: number; existing: number };
    expect(copied + existing).toBe(files);
    expect(existing).toBeGreaterThan(0);
    expect(filesBelow(folder)).toEqual(names);
    expect(await served(site, site.dataDir, url)).toEqual([200]);

    const picture = join(folder, site.picture.path);
    const bytes = readFileSync(picture);
    rmSync(folder, { recursive: true });
    mkdirSync(dirname(picture), { recursive: true });
    // A damaged copy, as after a disk failure.
    writeFileSync(picture, Buffer.alloc(bytes.length));
    const back = await cliJson(siteOf(site.dataDir, url), 'uploads', 'move', '--to', 'folder');
    expect(back).toMatchObject({ from: url, to: 'folder', files, missing: [] });
    expect(filesBelow(folder)).toEqual(names);
    expect(readFileSync(picture)).toEqual(bytes);
    expect(await served(site, site.dataDir)).toEqual([200]);
  });

  test('lists files that the database refers to but no store has', async () => {
    const site = await makeSite();
    rmSync(join(site.dataDir, site.avatarUrl));
    const moved = await cliJson(siteOf(site.dataDir), 'uploads', 'move', '--to', newUrl());
    expect(moved).toMatchObject({ missing: [site.avatarUrl.slice(1)] });
  });

  test('refuses the prefix of another site', async () => {
    const url = newUrl();
    const { location, credentials } = server.uploadsAt(prefixOf(url));
    const bucket = openBucket(location, credentials, { timeout: 10_000 });
    await bucket.put('site-other', new Uint8Array());
    const site = await makeSite();
    expect(await runCli(siteOf(site.dataDir), 'uploads', 'move', '--to', url)).toMatchObject({
      exitCode: 1,
      err: `${s3UrlOf(location, location.key)} has the files of another site: choose another prefix.\n`,
    });
  });

  test.each([
    [[], 2, 'Specify --to.'],
    [['--to', '/tmp/x'], 2, 'use an s3:// URL, or the word folder for DATA_DIR.'],
    [['--to', 's3://B'], 2, 'Expected a bucket'],
    [['--to', 'folder'], 1, 'The files are already in folder.'],
  ])('rejects the arguments %j and says what to change', async (options, exitCode, message) => {
    const dataDir = makeDataDir();
    {
      await using _ = await makeTestApp({ dataDir });
    }
    const result = await runCli(siteOf(dataDir), 'uploads', 'move', ...options);
    expect(result).toMatchObject({ exitCode, err: expect.stringContaining(message) });
  });
});

describe('doctor', () => {
  const findingsOf = async (dataDir: string, url: string, environment = {}) => {
    const { out } = await runCli(siteOf(dataDir, url, environment), 'doctor', '--json');
    const { checks } = JSON.parse(out) as { checks: { check: string; finding: string }[] };
    return checks.filter(({ check }) => check === 'uploads');
  };

  test('stores, reads and deletes an object, and compares the clocks', async () => {
    const url = newUrl();
    // The clock of the test differs from that of the bucket's server.
    expect(await findingsOf(makeDataDir(), url)).toEqual([
      expect.objectContaining({
        state: 'failure',
        finding: expect.stringMatching(/^The clock differs from that of the bucket's server by \d/),
      }),
    ]);
    expect(server.keys().filter((key) => key.startsWith(prefixOf(url)))).toEqual([]);
  });

  const steps = [
    ['deny', () => true, /^A test object could not be listed \(.* refuses access to backups/],
    ['deny', (method: string) => method === 'PUT', /^A test object could not be written/],
    [
      'truncate',
      (method: string, url: string) => method === 'GET' && !url.includes('list-type'),
      /^A test object could not be read/,
    ],
    ['fail', (method: string) => method === 'DELETE', /^A test object could not be deleted/],
  ] as const;

  test.each(isFullRun ? steps : steps.slice(1, 2))(
    'names the step that fails if the server has the fault %s',
    async (fault, affects, finding) => {
      await using faulty = await startFaultyS3(server.endpoint);
      faulty.break(fault, { affects });
      const url = `s3://backups/${randomUUID()}?endpoint=${faulty.endpoint}`;
      expect(await findingsOf(makeDataDir(), url)).toEqual([
        expect.objectContaining({
          state: 'failure',
          finding: expect.stringMatching(finding),
          fix: expect.stringContaining('Check UPLOADS_URL'),
        }),
      ]);
    },
  );

  test('warns of files that the server no longer reads', async () => {
    const dataDir = makeDataDir();
    mkdirSync(join(dataDir, 'uploads'));
    writeFileSync(join(dataDir, 'uploads/a'), 'a');
    expect(await findingsOf(dataDir, newUrl())).toContainEqual(
      expect.objectContaining({
        state: 'warning',
        finding: expect.stringContaining('DATA_DIR/uploads has files'),
      }),
    );
  });
});
