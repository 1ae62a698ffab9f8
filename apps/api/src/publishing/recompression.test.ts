import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import pLimit from 'p-limit';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataDir, startWriting, unlikeSiblings } from '../testing/blog.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { siblingsOf } from './compression.ts';
import { createRecompression } from './recompression.ts';
import { createRelease, type Release, siteFolder } from './release.ts';
import { checksumOf } from './verify-files.ts';

const pageOf = (word: string): Buffer =>
  Buffer.from(Array.from({ length: 400 }, (_, n) => `<p>${word} ${n * n}</p>`).join('\n'));

async function makeSite() {
  const origin = {
    buildId: 'build-1',
    publicUrl: 'https://fieldlight.example',
    assets: [],
    retired: {},
  };
  const dataDir = makeDataDir();
  const release = await createRelease(dataDir, origin);
  onTestFinished(() => release.manifest.close());
  const lock = pLimit(1);
  const invalidated: string[] = [];
  const siteFiles = { invalidate: (paths: Iterable<string>) => void invalidated.push(...paths) };
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const recompression = createRecompression({ log, siteFiles, lock, quietMilliseconds: 10 });
  onTestFinished(recompression.stop);
  return { dataDir, release, lock, invalidated, warnings, recompression };
}

const fileAt = ({ folder }: Release, path: string): string => join(folder, `${path}.html`);

async function publish(release: Release, path: string, bytes: Buffer): Promise<void> {
  const file = fileAt(release, path);
  mkdirSync(dirname(file), { recursive: true });
  for (const [ending, content] of Object.entries(siblingsOf(file, bytes, 'light'))) {
    writeFileSync(file + ending, content);
  }
  const record = {
    version: '',
    card: null,
    file: checksumOf(bytes),
    isLight: true,
    isOfOtherBuild: false,
  };
  await release.manifest.record(new Map([[path, record]]));
}

function sizesOf(release: Release, path: string): number[] {
  const file = fileAt(release, path);
  const [br, gz] = [readFileSync(`${file}.br`), readFileSync(`${file}.gz`)];
  expect(brotliDecompressSync(br)).toEqual(readFileSync(file));
  expect(gunzipSync(gz)).toEqual(readFileSync(file));
  return [br.length, gz.length];
}

test('makes the siblings of lightly compressed pages smaller, and invalidates them once', async () => {
  const { dataDir, release, invalidated, warnings, recompression } = await makeSite();
  await publish(release, '/blog', pageOf('blog'));
  await publish(release, '/blog/first', pageOf('first'));
  const before = ['/blog', '/blog/first'].map((path) => sizesOf(release, path));

  recompression.serve(release);
  await recompression.settled();

  const after = ['/blog', '/blog/first'].map((path) => sizesOf(release, path));
  after.flat().forEach((size, index) => {
    expect(size).toBeLessThan(before.flat()[index] ?? 0);
  });
  expect(invalidated).toEqual(['/blog', '/blog/first']);
  expect(release.manifest.get('/blog/first')?.isLight).toBe(false);
  expect(readdirSync(join(dataDir, 'releases'))).toHaveLength(2);
  expect(warnings).toEqual([]);

  recompression.serve(release);
  await recompression.settled();
  expect(invalidated).toHaveLength(2);
});

test('discards the result if a page changed while it was compressed, and compresses it again', async () => {
  const { release, lock, invalidated, warnings, recompression } = await makeSite();
  await publish(release, '/blog', pageOf('old'));
  await lock(async () => {
    recompression.serve(release);
    await until(async () => readdirSync(dirname(release.folder)).length === 4);
    await publish(release, '/blog', pageOf('new'));
    recompression.update(['/blog']);
  });
  await recompression.settled();

  expect(readFileSync(fileAt(release, '/blog'))).toEqual(pageOf('new'));
  sizesOf(release, '/blog');
  expect(invalidated).toEqual(['/blog']);
  expect(release.manifest.get('/blog')?.isLight).toBe(false);
  expect(warnings).toEqual([]);
});

test('compresses the other pages when one cannot be compressed', async () => {
  const { release, invalidated, warnings, recompression } = await makeSite();
  const record = { version: '', card: null, file: null, isLight: true, isOfOtherBuild: false };
  await release.manifest.record(new Map([['/missing', record]]));
  await publish(release, '/blog', pageOf('blog'));

  recompression.serve(release);
  await recompression.settled();

  expect(invalidated).toEqual(['/blog']);
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
    { path: '/missing', msg: 'could not compress a page again' },
  ]);
});

/** Lightly compressed pages, according to the manifest of the served release. */
function lightPages(dataDir: string): string[] {
  const manifest = `${join(dataDir, readlinkSync(siteFolder(dataDir)))}.manifest`;
  const [, ...lines] = readFileSync(manifest, 'utf8').trim().split('\n');
  const pages = lines.map((line) => JSON.parse(line) as { path: string; isLight?: boolean });
  const last = new Map(pages.map(({ path, isLight = false }) => [path, isLight]));
  return [...last].filter(([, isLight]) => isLight).map(([path]) => path);
}

test('continues after a restart, with pages of a full render and of publish jobs', async () => {
  const dataDir = makeDataDir();
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const { write } = await startWriting(testApp);
    await write('First');
  }
  expect(lightPages(dataDir)).toEqual(
    expect.arrayContaining(['/blog', '/blog/first', '/sitemap.xml']),
  );
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  await until(() => lightPages(dataDir).length === 0);
  expect(await unlikeSiblings(testApp)).toEqual([]);
});
