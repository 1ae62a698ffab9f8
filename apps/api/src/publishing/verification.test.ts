import { appendFileSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeDataDir, rendererWith, startWriting, unlikeSiblings } from '../testing/blog.ts';
import { publishedPages, wantedPages } from '../testing/site.ts';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';
import { makeRenderer } from '../testing/test-renderer.ts';

const health = async (testApp: TestApp) => (await testApp.browser().get('/api/health')).json();

test.each<[string, (site: string) => void]>([
  ['a changed page', (site) => writeFileSync(join(site, 'blog', 'first.html'), 'changed')],
  [
    'a page with a flipped bit',
    (site) => {
      const file = join(site, 'blog', 'first.html');
      const bytes = readFileSync(file);
      bytes[10] = (bytes[10] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  ],
  ['an emptied list', (site) => writeFileSync(join(site, 'blog.html'), '')],
  ['a lost feed', (site) => rmSync(join(site, 'blog', 'rss.xml'))],
  ['a sibling with other bytes', (site) => appendFileSync(join(site, 'blog.html.gz'), 'x')],
  ['a lost sibling', (site) => rmSync(join(site, 'blog', 'first.html.br'))],
  ['a changed file of the build', (site) => writeFileSync(join(site, 'index.html'), 'changed')],
  ['a lost asset', (site) => rmSync(join(site, '_astro'), { recursive: true })],
])('finds and repairs %s, also in the cache, and reports it to health', async (_what, damage) => {
  const dataDir = makeDataDir();
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  const { publisher, siteFiles, log } = testApp.deps;
  const { write } = await startWriting(testApp);
  await write('First');
  const logged = vi.spyOn(log, 'error');
  const report = vi.spyOn(testApp.deps.health, 'report');

  await publisher.verify();
  expect(logged).not.toHaveBeenCalled();

  damage(join(dataDir, 'site'));
  siteFiles.invalidateAll();
  const home = () => siteFiles.load('/');
  const paths = ['/', '/blog', '/blog/first', '/blog/rss.xml'];
  for (const path of paths) await siteFiles.load(path);
  await publisher.verify();

  expect(report).toHaveBeenCalledWith('published files', expect.stringMatching(/damaged/));
  expect(logged).toHaveBeenCalledWith(expect.anything(), 'published files are damaged');
  expect(await health(testApp)).toMatchObject({ status: 'ok', problems: [] });
  const { body = Buffer.alloc(0) } = (await home())?.representations.identity ?? {};
  expect(body.toString()).toContain('Home of build-1');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await unlikeSiblings(testApp)).toEqual([]);
});

test('retries a damaged page that cannot be rendered, and keeps reporting it to health', async () => {
  const dataDir = makeDataDir();
  let isBroken = false;
  const renderer = rendererWith(makeRenderer(dataDir), (path) => {
    if (isBroken && path === '/blog/first') throw new Error('broken');
  });
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  const { write } = await startWriting(testApp);
  await write('First');
  await testApp.deps.publisher.settled();
  isBroken = true;
  writeFileSync(join(dataDir, 'site', 'blog', 'first.html'), 'changed');
  await testApp.deps.publisher.verify();
  expect(testApp.deps.publisher.depth()).toBe(1);
  expect(await health(testApp)).toMatchObject({
    status: 'degraded',
    problems: ['1 page could not be published, and will be retried.'],
  });
});

test('renders pages without a checksum again to record one', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWriting(testApp);
    await write('First');
  }
  const manifest = `${join(dataDir, readlinkSync(join(dataDir, 'site')))}.manifest`;
  const lines = readFileSync(manifest, 'utf8').trim().split('\n');
  const without = lines.map((line) => JSON.stringify({ ...JSON.parse(line), file: undefined }));
  writeFileSync(manifest, `${without.join('\n')}\n`);
  const rendered: string[] = [];
  const renderer = rendererWith(makeRenderer(dataDir), (path) => void rendered.push(path));
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  expect(rendered).toEqual([]);
  const logged = vi.spyOn(testApp.deps.log, 'error');
  await testApp.deps.publisher.verify();
  expect(rendered).toContain('/blog/first');
  expect(logged).not.toHaveBeenCalled();
  rendered.length = 0;
  await testApp.deps.publisher.verify();
  expect(rendered).toEqual([]);
});
