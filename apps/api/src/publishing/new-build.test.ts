import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { day } from '@app/contract/durations';
import { expect, onTestFinished, test, vi } from 'vitest';
import { syncFolders } from '../files/atomic-files.ts';
import {
  makeDataDir,
  passTime,
  rendererWith,
  shownAt,
  startWriting,
  startWritingAndCrash,
} from '../testing/blog.ts';
import { copiedFolder } from '../testing/copied-folder.ts';
import { publishedPages, wantedPages } from '../testing/site.ts';
import { MovingClock, makeTestApp, type TestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';
import { until } from '../testing/until.ts';

vi.mock('../files/atomic-files.ts', { spy: true });

/** A stopped site of build-1 with two posts in one month and one in the next. */
const copyStoppedSite = copiedFolder(async (dataDir) => {
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  const { write } = await startWriting(testApp);
  await write('First');
  await write('Second');
  testApp.clock.move(31 * day);
  await write('Third');
  await testApp.deps.publisher.settled();
});

async function makeStoppedSite(): Promise<string> {
  const dataDir = makeDataDir();
  await copyStoppedSite(dataDir);
  return dataDir;
}

/** build-2. Its first render of one page waits for `letGo`. */
function makeHeldRenderer(dataDir: string, heldAt: string) {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHeld = true;
  const renderer = rendererWith(makeRenderer(dataDir, 'build-2'), (path) => {
    if (path !== heldAt || !isHeld) return;
    isHeld = false;
    arrived.resolve();
    return released.promise;
  });
  return { renderer, arrived: arrived.promise, letGo: released.resolve };
}

/** Starts with build-2 and pauses halfway: the lists are rendered, the first post is not. */
async function startHalfWay(dataDir: string) {
  const { renderer, arrived, letGo } = makeHeldRenderer(dataDir, '/blog/first');
  const testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  onTestFinished(() => testApp[Symbol.asyncDispose]());
  onTestFinished(() => letGo());
  await arrived;
  return {
    testApp,
    finish: async () => {
      letGo();
      await testApp.deps.publisher.settled();
    },
  };
}

async function served({ deps }: TestApp, path: string): Promise<string> {
  const file = await deps.siteFiles.load(path);
  return file?.representations.identity.body.toString() ?? 'nothing';
}

const titleOf = (path: string, build: string): string => `<title>${path} of ${build}</title>`;

test('serves the old build while it renders the new one, then switches', async () => {
  const dataDir = await makeStoppedSite();
  const { testApp, finish } = await startHalfWay(dataDir);
  for (const path of ['/blog', '/blog/first', '/blog/third', '/blog/archive/2026-04']) {
    expect(await served(testApp, path)).toContain(titleOf(path, 'build-1'));
  }
  expect(await served(testApp, '/')).toContain('Home of build-1');

  await finish();

  for (const path of ['/blog', '/blog/first', '/blog/third', '/blog/archive/2026-04']) {
    expect(await served(testApp, path)).toContain(titleOf(path, 'build-2'));
  }
  expect(await served(testApp, '/')).toContain('Home of build-2');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(2);
});

test('serves a new build whose link cannot be flushed, and keeps the old one', async () => {
  const dataDir = await makeStoppedSite();
  const renderer = makeRenderer(dataDir, 'build-2');
  vi.mocked(syncFolders).mockRejectedValue(new Error('EIO: i/o error, fsync'));
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
    await testApp.deps.publisher.settled();
    expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(4);
    await (await startWriting(testApp)).write('Meanwhile');
    expect(await served(testApp, '/blog/meanwhile')).toContain('About Meanwhile');
    expect(await served(testApp, '/')).toContain('Home of build-2');
  }
  vi.mocked(syncFolders).mockReset();
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(2);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('publishes changes during a rebuild at once, and also in the new build', async () => {
  const dataDir = await makeStoppedSite();
  const { testApp, finish } = await startHalfWay(dataDir);
  const { write, change, remove } = await startWriting(testApp);
  const postAt = async (path: string) => {
    const page = await shownAt(testApp, path);
    if (page?.kind !== 'post') throw new Error(`no post at ${path}`);
    return page.post;
  };

  const live = await write('Meanwhile');
  const edited = await change(await postAt('/blog/second'), { title: 'Edited', slug: 'edited' });
  const removed = await remove(await postAt('/blog/third'));
  expect([live.publishing.state, edited.publishing.state, removed.state]).toEqual([
    'live',
    'live',
    'removed',
  ]);
  expect(await served(testApp, '/blog/meanwhile')).toContain('About Meanwhile');
  expect(await served(testApp, '/blog/third')).toBe('nothing');
  await finish();

  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await served(testApp, '/blog/meanwhile')).toContain('About Meanwhile');
  expect(await shownAt(testApp, '/blog/second')).toEqual({ kind: 'moved', to: 'edited' });
  expect(testApp.deps.publisher.depth()).toBe(0);
});

test('serves the assets of the new build to pages published during a rebuild', async () => {
  const dataDir = await makeStoppedSite();
  const { testApp } = await startHalfWay(dataDir);
  const { write } = await startWriting(testApp);
  await write('Meanwhile');
  expect(await served(testApp, '/blog/meanwhile')).toContain('of build-2</title>');
  for (const build of ['build-1', 'build-2']) {
    expect(await served(testApp, `/_astro/${build}.js`)).toContain(build);
  }
});

test('does not rewrite a served asset that both builds have', async () => {
  const dataDir = await makeStoppedSite();
  const shared = join(dataDir, 'static-build-2', '_astro', 'build-1.js');
  mkdirSync(join(dataDir, 'static-build-2', '_astro'), { recursive: true });
  writeFileSync(shared, "console.log('build-1')");
  const stateOf = ({ ino, mtimeMs }: { ino: number; mtimeMs: number }) => ({ ino, mtimeMs });
  const inOldRelease = join(dataDir, 'site', '_astro', 'build-1.js');
  const before = stateOf(statSync(inOldRelease));
  await startHalfWay(dataDir);
  expect(stateOf(statSync(inOldRelease))).toEqual(before);
});

test('keeps the assets of earlier builds for a day', async () => {
  const dataDir = await makeStoppedSite();
  const clock = new MovingClock();
  const assetsAfter = async (build: string): Promise<string[]> => {
    await using testApp = await makeTestApp({
      publishes: true,
      dataDir,
      clock,
      renderer: makeRenderer(dataDir, build),
    });
    await testApp.deps.publisher.settled();
    const scripts = readdirSync(join(dataDir, 'site', '_astro')).filter((name) =>
      name.endsWith('.js'),
    );
    for (const name of scripts) {
      expect(await served(testApp, `/_astro/${name}`)).not.toBe('nothing');
    }
    return scripts;
  };
  expect(await assetsAfter('build-2')).toEqual(['build-1.js', 'build-2.js']);
  clock.move(day / 2);
  expect(await assetsAfter('build-3')).toEqual(['build-1.js', 'build-2.js', 'build-3.js']);
  expect(await assetsAfter('build-3')).toEqual(['build-1.js', 'build-2.js', 'build-3.js']);
  clock.move(day / 2);
  expect(await assetsAfter('build-4')).toEqual(['build-2.js', 'build-3.js', 'build-4.js']);
  // A rollback: assets that are used again are not retired.
  expect(await assetsAfter('build-2')).toEqual(['build-2.js', 'build-3.js', 'build-4.js']);
  clock.move(day);
  expect(await assetsAfter('build-5')).toEqual(['build-2.js', 'build-5.js']);
});

async function stopDuringRebuild(dataDir: string): Promise<void> {
  const { renderer, arrived, letGo } = makeHeldRenderer(dataDir, '/blog/first');
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await arrived;
  const stopped = testApp.deps.publisher.stop();
  letGo();
  await stopped;
}

test('keeps the assets of an interrupted rebuild, because pages may refer to them', async () => {
  const dataDir = await makeStoppedSite();
  await stopDuringRebuild(dataDir);
  const renderer = makeRenderer(dataDir, 'build-3');
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  for (const build of ['build-1', 'build-2', 'build-3']) {
    expect(await served(testApp, `/_astro/${build}.js`)).toContain(build);
  }
});

test('leaves the old build intact when stopped during a rebuild, which the next start repeats', async () => {
  const dataDir = await makeStoppedSite();
  await stopDuringRebuild(dataDir);
  expect(readFileSync(join(dataDir, 'site', 'index.html'), 'utf8')).toContain('Home of build-1');
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(2);

  await using testApp = await makeTestApp({
    publishes: true,
    dataDir,
    renderer: makeRenderer(dataDir, 'build-2'),
  });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/')).toContain('Home of build-2');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('publishes what a crash left pending as part of a new build', async () => {
  const dataDir = await makeStoppedSite();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    await (await startWritingAndCrash(testApp)).write('Pending');
  }
  // The next start has another build.
  await using testApp = await makeTestApp({
    publishes: true,
    dataDir,
    renderer: makeRenderer(dataDir, 'build-2'),
  });
  await testApp.deps.publisher.settled();
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(testApp.deps.publisher.depth()).toBe(0);
});

test('removes a post that was withdrawn before a crash without waiting for the rebuild', async () => {
  const dataDir = await makeStoppedSite();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const page = await shownAt(testApp, '/blog/second');
    if (page?.kind !== 'post') throw new Error('no second post');
    await (await startWritingAndCrash(testApp)).change(page.post, { published: false });
  }
  const { testApp, finish } = await startHalfWay(dataDir);
  await until(async () => (await served(testApp, '/blog/second')) === 'nothing');
  expect(await served(testApp, '/')).toContain('Home of build-1');
  await finish();
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('keeps the old version of a page that fails in a rebuild, and retries it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const dataDir = await makeStoppedSite();
  let isBroken = true;
  const renderer = rendererWith(makeRenderer(dataDir, 'build-2'), (path) => {
    if (isBroken && path === '/blog/second') throw new Error('broken');
  });
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/blog/first')).toContain(titleOf('/blog/first', 'build-2'));
  expect(await served(testApp, '/blog/second')).toContain(titleOf('/blog/second', 'build-1'));
  expect([...testApp.deps.publisher.failures().keys()]).toEqual(['/blog/second']);

  isBroken = false;
  passTime(testApp, 10_000);
  await until(() => testApp.deps.publisher.depth() === 0);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('does not switch to a build if most pages fail', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWriting(testApp);
    for (let n = 1; n <= 20; n += 1) await write(`Post ${n}`);
    await testApp.deps.publisher.settled();
  }
  const renderer = rendererWith(makeRenderer(dataDir, 'build-2'), (path) => {
    if (path.startsWith('/blog/post-')) throw new Error('broken');
  });
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/')).toContain('Home of build-1');
  expect(await served(testApp, '/blog/post-1')).toContain(titleOf('/blog/post-1', 'build-1'));
  expect(testApp.deps.publisher.depth()).toBe(0);
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(2);
});

test('switches to a new build if many posts fail but most do not', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWriting(testApp);
    for (let n = 1; n <= 12; n += 1) await write(`Broken ${n}`);
    for (let n = 1; n <= 12; n += 1) await write(`Sound ${n}`);
  }
  const renderer = rendererWith(makeRenderer(dataDir, 'build-2'), (path) => {
    if (path.startsWith('/blog/broken-')) throw new Error('broken');
  });
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/blog/sound-12')).toContain(titleOf('/blog/sound-12', 'build-2'));
  expect(await served(testApp, '/blog/broken-1')).toContain(titleOf('/blog/broken-1', 'build-1'));
});

test('removes unfinished releases before a rebuild', async () => {
  const dataDir = await makeStoppedSite();
  const half = join(dataDir, 'releases', 'build-2-dead');
  mkdirSync(half);
  writeFileSync(join(half, 'index.html'), 'half');
  const { testApp } = await startHalfWay(dataDir);
  expect(existsSync(half)).toBe(false);
  // The served release with its state, and the new one.
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(3);
  expect(await served(testApp, '/blog/first')).toContain(titleOf('/blog/first', 'build-1'));
});

test('publishes the first site without a page that fails, and retries the page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isBroken = true;
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) => {
    if (isBroken && path === '/blog/rss.xml') throw new Error('broken');
  });
  await using testApp = await makeTestApp({ publishes: true, renderer });
  expect(await served(testApp, '/blog')).toContain(titleOf('/blog', 'build-1'));
  expect(await served(testApp, '/blog/rss.xml')).toBe('nothing');

  isBroken = false;
  passTime(testApp, 10_000);
  await until(() => testApp.deps.publisher.depth() === 0);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('retries a failed rebuild, serves the old build until then, and leaves no files behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const dataDir = await makeStoppedSite();
  const renderer = makeRenderer(dataDir, 'build-2');
  // Makes a folder where the rebuild writes a page.
  const obstacle = join(renderer.staticFiles, 'blog', 'first.html', 'x.txt');
  mkdirSync(join(obstacle, '..'), { recursive: true });
  writeFileSync(obstacle, '');

  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/')).toContain('Home of build-1');
  expect(await served(testApp, '/blog/first')).toContain(titleOf('/blog/first', 'build-1'));
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(2);
  const { health } = testApp.deps;
  expect(health.problems()).toEqual(['The new build could not be published, and will be retried.']);

  rmSync(join(renderer.staticFiles, 'blog'), { recursive: true });
  vi.advanceTimersByTime(60_000);
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/')).toContain('Home of build-2');
  expect(health.problems()).toEqual([]);
});

test('serves the old release without temporary files if new assets cannot be copied into it', async () => {
  const dataDir = await makeStoppedSite();
  const renderer = makeRenderer(dataDir, 'build-2');
  const assets = join(dataDir, 'site', '_astro');
  mkdirSync(join(assets, 'build-2.js'));
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  await testApp.deps.publisher.settled();
  expect(testApp.deps.health.problems()).toHaveLength(1);
  expect(await served(testApp, '/')).toContain('Home of build-1');
  expect(readdirSync(assets).sort()).toEqual(['build-1.js', 'build-2.js']);
});

test('renders pages of an interrupted new build again when the old build is started again', async () => {
  const dataDir = await makeStoppedSite();
  {
    const { renderer, arrived, letGo } = makeHeldRenderer(dataDir, '/blog/first');
    await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
    await arrived;
    const { write } = await startWriting(testApp);
    await write('Meanwhile');
    expect(await served(testApp, '/blog/meanwhile')).toContain('of build-2</title>');
    const stopped = testApp.deps.publisher.stop();
    letGo();
    await stopped;
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  await testApp.deps.publisher.settled();
  expect(await served(testApp, '/blog/meanwhile')).toContain('of build-1</title>');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('inserts the public URL into the files of the build, and renders all pages for a new URL', async () => {
  const dataDir = await makeStoppedSite();
  const readHome = () => readFileSync(join(dataDir, 'site', 'index.html'), 'utf8');
  expect(readHome()).toContain('href="http://localhost:4321/"');

  const settings = { publicUrl: 'https://fieldlight.example' };
  await using testApp = await makeTestApp({ publishes: true, dataDir, settings });
  await testApp.deps.publisher.settled();
  expect(readHome()).toContain('href="https://fieldlight.example/"');
});
