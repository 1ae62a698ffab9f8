import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Manifest } from './manifest.ts';
import type { PageRecord } from './manifest-lines.ts';

const origin = {
  buildId: 'build-1',
  publicUrl: 'https://fieldlight.example',
  assets: ['_astro/a.js'],
  retired: { '_astro/old.js': 5 },
};

let file: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
  file = join(folder, 'release.manifest');
  return () => rmSync(folder, { recursive: true });
});

async function create(): Promise<Manifest> {
  const manifest = await Manifest.create(file, origin);
  onTestFinished(() => manifest.close());
  return manifest;
}

async function read(): Promise<Manifest> {
  const manifest = await Manifest.read(file);
  if (!manifest) throw new Error('there is no manifest to read');
  onTestFinished(() => manifest.close());
  return manifest;
}

/** A page without a card. */
const shows = (version: string): PageRecord => ({
  version,
  card: null,
  file: { size: 3, hash: 'abc' },
  isOfOtherBuild: false,
});

const contentOf = (manifest: Manifest) =>
  Object.fromEntries([...manifest.paths()].map((path) => [path, manifest.get(path)?.version]));

test('reads back what was recorded', async () => {
  const manifest = await create();
  await manifest.record(
    new Map([
      ['/blog', shows('')],
      ['/blog/first', shows('1@1')],
    ]),
  );
  await manifest.record(new Map([['/blog/first', shows('1@2')]]));
  await manifest.record(new Map([['/blog/second', shows('2@1')]]));
  await manifest.record(new Map([['/blog/second', null]]));

  const again = await read();
  expect(again.origin).toEqual(origin);
  expect(contentOf(again)).toEqual({ '/blog': '', '/blog/first': '1@2' });
  expect(contentOf(again)).toEqual(contentOf(manifest));
  expect(again.get('/blog/first')).toEqual(shows('1@2'));
  expect(again.get('/blog/second')).toBeUndefined();
});

test('remembers failed updates until the page is updated, and which jobs are done', async () => {
  const manifest = await create();
  const failure = (attempts: number) => ({ attempts, nextAttemptAt: 5, reason: 'Error: broken' });
  const failed = async () => Object.fromEntries((await read()).failures);
  await manifest.record(new Map([['/blog/first', shows('1@1')]]));
  manifest.fail('/blog/first', failure(1));
  manifest.fail('/blog/second', failure(1));
  expect(await failed()).toEqual({});
  await manifest.append(new Map(), 7);
  expect(await failed()).toEqual({ '/blog/first': failure(1), '/blog/second': failure(1) });
  expect((await read()).jobs).toBe(7);

  manifest.fail('/blog/second', failure(2));
  await manifest.append(new Map(), 9);
  expect(await failed()).toEqual({ '/blog/first': failure(1), '/blog/second': failure(2) });

  await manifest.record(new Map([['/blog/first', shows('1@2')]]));
  await manifest.record(new Map([['/blog/second', null]]));
  expect(manifest.failures.size).toBe(0);
  expect(await failed()).toEqual({});
  expect((await read()).jobs).toBe(9);
  // An older database was restored.
  await manifest.append(new Map(), 4);
  expect((await read()).jobs).toBe(4);
});

test('keeps failed updates for the next flush if a flush fails', async () => {
  const manifest = await create();
  const broken = { attempts: 1, nextAttemptAt: 5, reason: 'Error: broken' };
  await manifest.close();
  manifest.fail('/blog/first', broken);
  await expect(manifest.append(new Map(), 3)).rejects.toThrow();
  expect(manifest.jobs).toBe(0);
  expect(Object.fromEntries(manifest.failures)).toEqual({ '/blog/first': broken });
});

test('lists the cards of the current pages', async () => {
  const manifest = await create();
  const card = (title: string) => ({ path: `/cards/${title}.png`, title });
  const about = (title: string): PageRecord => ({
    version: '1@1',
    card: card(title),
    file: null,
    isOfOtherBuild: false,
  });
  await manifest.record(
    new Map([
      ['/blog', about('Blog')],
      ['/blog/first', about('First')],
      ['/blog/second', about('Second')],
      ['/blog/third', about('Second')],
    ]),
  );
  await manifest.record(
    new Map([
      ['/blog/first', about('Edited')],
      ['/blog', null],
    ]),
  );
  const cards = { '/cards/Edited.png': 'Edited', '/cards/Second.png': 'Second' };
  expect(Object.fromEntries(manifest.cards())).toEqual(cards);
  expect(Object.fromEntries((await read()).cards())).toEqual(cards);
});

test.each([
  ['is missing', null],
  ['is empty', ''],
  ['was cut off in its first line', '{"buildId":"bui'],
  ['lists no assets', '{"buildId":"build-1","publicUrl":"https://fieldlight.example"}\n'],
  ['has another format', '[]\n{}\n'],
  ['is null', 'null\n'],
])('returns null when the file %s', async (_how, content) => {
  if (content !== null) writeFileSync(file, content);
  expect(await Manifest.read(file)).toBeNull();
});

test('ignores a partial last line, and appends after it', async () => {
  const manifest = await create();
  await manifest.record(new Map([['/blog/first', shows('1@1')]]));
  appendFileSync(file, '{"path":"/blog/second","version":"2@');

  const again = await read();
  expect(contentOf(again)).toEqual({ '/blog/first': '1@1' });
  await again.record(new Map([['/blog/third', shows('3@1')]]));
  expect(contentOf(await read())).toEqual({
    '/blog/first': '1@1',
    '/blog/third': '3@1',
  });
});

test('compacts a file with many superseded changes', async () => {
  const manifest = await create();
  const broken = { attempts: 1, nextAttemptAt: 5, reason: 'Error: broken' };
  manifest.fail('/blog/third', broken);
  await manifest.append(new Map(), 12);
  await manifest.record(new Map([['/blog/first', shows('1@1')]]));
  const line = `${JSON.stringify({ path: '/blog', version: '' })}\n`;
  appendFileSync(file, line.repeat(2_000));
  const linesOf = () => readFileSync(file, 'utf8').split('\n').filter(Boolean).length;
  expect(linesOf()).toBe(2_004);

  const again = await read();
  expect(linesOf()).toBe(5);
  expect(again.jobs).toBe(12);
  expect(Object.fromEntries(again.failures)).toEqual({ '/blog/third': broken });
  await again.record(new Map([['/blog/second', shows('2@1')]]));
  const { buildId } = (await read()).origin;
  expect(buildId).toBe('build-1');
  expect(contentOf(await read())).toEqual({
    '/blog': '',
    '/blog/first': '1@1',
    '/blog/second': '2@1',
  });
});

test('counts and skips malformed lines', async () => {
  const manifest = await create();
  await manifest.record(new Map([['/blog/first', shows('1@1')]]));
  const malformed = [
    'nonsense',
    'null',
    '[]',
    '{"path":"/blog/second"}',
    '{"path":5,"version":"2@1"}',
    '{"path":"/../site.db","version":"2@1"}',
    '{"path":"/blog/second","version":"2@1","card":5}',
    '{"path":"/blog/second","version":"2@1","file":{"size":"1"}}',
  ];
  appendFileSync(file, `${malformed.join('\n')}\n`);
  await manifest.record(new Map([['/blog/third', shows('3@1')]]));

  const again = await read();
  expect(again.malformedLines).toBe(malformed.length);
  expect(contentOf(again)).toEqual({ '/blog/first': '1@1', '/blog/third': '3@1' });
  expect((await read()).malformedLines).toBe(0);
});
