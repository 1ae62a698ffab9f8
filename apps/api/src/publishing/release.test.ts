import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataDir } from '../testing/blog.ts';
import { removeOtherReleases } from './release.ts';

const remove = (dataDir: string): Promise<void> =>
  removeOtherReleases(dataDir, new AbortController().signal);

test('removes a release while a process of a killed server still writes to it', async () => {
  const dataDir = makeDataDir();
  const folder = join(dataDir, 'releases', 'unfinished');
  const pages = join(folder, 'blog');
  mkdirSync(pages, { recursive: true });
  for (let n = 0; n < 2_000; n += 1) writeFileSync(join(pages, `${n}.html`), '');
  let rounds = 0;
  let written = 0;
  // When `rm` has removed the files that it listed, the folder is still not empty.
  const writing = setInterval(() => {
    for (let n = 0; n < 100 && existsSync(pages); n += 1) {
      writeFileSync(join(pages, `late-${written}.html`), '');
      written += 1;
    }
    rounds += 1;
    if (rounds === 100) clearInterval(writing);
  }, 1);
  await remove(dataDir);
  clearInterval(writing);
  expect(written).toBeGreaterThan(0);
  expect(existsSync(folder)).toBe(false);
});

test('does not remove lost+found', async () => {
  const dataDir = makeDataDir();
  const found = join(dataDir, 'releases', 'lost+found', '#12');
  mkdirSync(found, { recursive: true });
  mkdirSync(join(dataDir, 'releases', 'old'));
  await remove(dataDir);
  expect(existsSync(found)).toBe(true);
  expect(existsSync(join(dataDir, 'releases', 'old'))).toBe(false);
});

test('never removes the served release', async () => {
  const dataDir = makeDataDir();
  for (const name of ['old', 'new']) {
    mkdirSync(join(dataDir, 'releases', name), { recursive: true });
    writeFileSync(join(dataDir, 'releases', `${name}.json`), '');
  }
  symlinkSync('releases/new', join(dataDir, 'site'));
  await remove(dataDir);
  expect(readdirSync(join(dataDir, 'releases'))).toEqual(['new', 'new.json']);
});
