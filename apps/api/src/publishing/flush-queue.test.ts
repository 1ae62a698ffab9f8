import { readFileSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, passTime, rendererWith, startWriting } from '../testing/blog.ts';
import { publishedPages, wantedPages } from '../testing/site.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';
import { createRelease } from './release.ts';
import { flushPages } from './update-pages.ts';

/** Makes each fsync wait for `work`. */
async function beforeEachFsync(work: () => Promise<void> | void): Promise<void> {
  await using handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
  const { sync } = prototype;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof handle) {
    await work();
    return sync.call(this);
  });
  onTestFinished(() => spy.mockRestore());
}

const manifestOf = (dataDir: string): string =>
  `${join(dataDir, readlinkSync(join(dataDir, 'site')))}.manifest`;

/** A site with a post. The first post removes pages of samples, which is flushed at once. */
async function startSite(dataDir?: string) {
  const testApp = await makeTestApp({ publishes: true, ...(dataDir && { dataDir }) });
  const writer = await startWriting(testApp);
  await writer.write('Older');
  await testApp.deps.publisher.settled();
  return { testApp, ...writer };
}

test('responds before the flush, and marks the job as done after it', async () => {
  const { testApp, write } = await startSite();
  await using _ = testApp;
  const { promise: flushing, resolve: flush } = Promise.withResolvers<void>();
  await beforeEachFsync(() => flushing);

  expect((await write('First')).publishing).toMatchObject({ state: 'live' });
  expect((await write('Second')).publishing).toMatchObject({ state: 'live' });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(testApp.deps.publisher.depth()).toBe(4);

  flush();
  await testApp.deps.publisher.settled();
  expect(testApp.deps.publisher.depth()).toBe(0);
});

test('waits for the flush when it stops', async () => {
  const dataDir = makeDataDir();
  const { promise: flushing, resolve: flush } = Promise.withResolvers<void>();
  {
    const { testApp, write } = await startSite(dataDir);
    await using _ = testApp;
    await beforeEachFsync(() => flushing);
    await write('First');
    let isStopped = false;
    const stopping = testApp.deps.publisher.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isStopped).toBe(false);
    flush();
    await stopping;
    expect(testApp.deps.publisher.depth()).toBe(0);
  }
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(dataDir), (path) => void rendered.push(path));
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  expect(rendered).toEqual([]);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('reports pages to health and retries them if their flush fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { testApp, write } = await startSite();
  await using _ = testApp;
  const { publisher, health } = testApp.deps;
  testApp.clock.move(31 * day);
  let isBroken = true;
  await beforeEachFsync(() => {
    if (isBroken) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  });

  const { publishing } = await write('First');
  expect(publishing).toMatchObject({ state: 'live' });
  await publisher.settled();

  const failures = publisher.failures();
  for (const path of ['/blog/first', '/blog', '/blog/rss.xml', '/blog/archive/2026-04']) {
    const failure = { attempts: 1, reason: 'Error: EIO: i/o error, fsync' };
    expect(failures.get(path), path).toMatchObject(failure);
  }
  // They are not in its job: they change because the month is new.
  expect([...failures.keys()]).toEqual(expect.arrayContaining(['/blog/archive', '/sitemap.xml']));
  expect(health.problems()).toEqual([
    `${failures.size} pages could not be published, and will be retried.`,
  ]);

  isBroken = false;
  passTime(testApp, 10_000);
  await until(() => publisher.depth() === 0);
  expect(health.problems()).toEqual([]);
});

test('repairs unflushed pages after a power cut before it serves them', async () => {
  const dataDir = makeDataDir();
  let manifest: Buffer;
  {
    const { testApp, write } = await startSite(dataDir);
    await using _ = testApp;
    manifest = readFileSync(manifestOf(dataDir));
    // A post in a new month also changes the indexes, which are not in its job.
    testApp.clock.move(31 * day);
    await write('Newer');
    await testApp.deps.publisher.settled();
  }
  writeFileSync(manifestOf(dataDir), manifest);
  const changed = [
    ...['blog.html', 'blog/rss.xml', 'blog/newer.html', 'blog/archive.html', 'sitemap.xml'],
    ...['blog/archive/2026-04.html', 'blog/sitemap-2026-04.xml'],
  ];
  for (const name of changed) lose(dataDir, name);

  await using testApp = await makeTestApp({ publishes: true, dataDir });

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(testApp.deps.publisher.depth()).toBe(0);
});

test('updates the indexes of the pages in a job after a kill during its flush', async () => {
  const dataDir = makeDataDir();
  {
    const { testApp, write } = await startSite(dataDir);
    await using _ = testApp;
    testApp.clock.move(31 * day);
    await write('Newer');
    await testApp.deps.publisher.settled();
  }
  // The manifest already has the new month, but not that the jobs are done.
  const lines = readFileSync(manifestOf(dataDir), 'utf8').split('\n');
  const isOfJobs = (line: string): boolean => line.startsWith('{"jobs":');
  const pages = lines.filter((line) => !isOfJobs(line));
  expect(pages.length).toBeLessThan(lines.length);
  writeFileSync(manifestOf(dataDir), pages.join('\n'));
  lose(dataDir, 'sitemap.xml');

  await using testApp = await makeTestApp({ publishes: true, dataDir });

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

/** On some file systems, unflushed files are empty after a power cut. */
function lose(dataDir: string, name: string): void {
  truncateSync(join(dataDir, 'site', name));
}

const record = { version: '1@1', card: null, file: null, isOfOtherBuild: false };

async function makeRelease() {
  const origin = {
    buildId: 'build-1',
    publicUrl: 'https://fieldlight.example',
    assets: [],
    retired: {},
  };
  const release = await createRelease(makeDataDir(), origin);
  onTestFinished(() => release.manifest.close());
  return release;
}

test('does not record pages that were updated again in the meantime', async () => {
  const release = await makeRelease();
  const written = new Map([
    ['/blog/removed', record],
    ['/blog/edited', { ...record }],
    ['/blog/unchanged', { ...record }],
  ]);
  release.manifest.apply(written);
  release.manifest.apply(new Map([['/blog/edited', { ...record, version: '1@2' }]]));
  await release.manifest.record(new Map([['/blog/removed', null]]));

  expect(await flushPages(release, written)).toEqual(new Map());

  const [, ...lines] = readFileSync(`${release.folder}.manifest`, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { path: '/blog/removed', version: null },
    { path: '/blog/unchanged', version: '1@1' },
  ]);
});
