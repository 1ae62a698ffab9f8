import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { removeFiles, replaceFile, replaceFiles } from './atomic-files.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atomic-'));
  return () => rmSync(folder, { recursive: true });
});

test('creates missing folders and leaves no temporary files', async () => {
  const first = join(folder, 'blog.html');
  const second = join(folder, 'blog', 'archive', '2026-03.html');
  await replaceFiles(
    new Map([
      [first, Buffer.from('one')],
      [second, Buffer.from('two')],
    ]),
  );
  expect(readFileSync(first, 'utf8')).toBe('one');
  expect(readFileSync(second, 'utf8')).toBe('two');
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
    'blog',
    'blog.html',
    'blog/archive',
    'blog/archive/2026-03.html',
  ]);
});

test('lets readers of the old file finish reading it', async () => {
  const file = join(folder, 'blog.html');
  writeFileSync(file, 'the old content');
  await using reader = await open(file);
  await replaceFiles(new Map([[file, Buffer.from('new')]]));
  expect(await reader.readFile('utf8')).toBe('the old content');
  expect(readFileSync(file, 'utf8')).toBe('new');
});

test('overwrites a temporary file that a crash left behind', async () => {
  const file = join(folder, 'blog.html');
  writeFileSync(join(folder, '.new-blog.html'), 'half of something long');
  await replaceFiles(new Map([[file, Buffer.from('new')]]));
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['blog.html']);
});

test('changes no file and leaves no temporary files if one cannot be written', async () => {
  const file = join(folder, 'blog.html');
  writeFileSync(file, 'old');
  const obstacle = join(folder, 'blog');
  writeFileSync(obstacle, '');
  const files = new Map([
    [file, Buffer.from('new')],
    [join(obstacle, 'first.html'), Buffer.from('new')],
  ]);
  await expect(replaceFiles(files)).rejects.toThrow('ENOTDIR');
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(statSync(file).size).toBe(3);
  expect(readdirSync(folder).sort()).toEqual(['blog', 'blog.html']);
});

test('replaces a file, and leaves no temporary file if the disk is full', async () => {
  const file = join(folder, 'blog', 'first.html');
  await replaceFile(file, Buffer.from('old'));
  await replaceFile(file, Buffer.from('new'));
  expect(readFileSync(file, 'utf8')).toBe('new');
  await expect(replaceFile('/dev/full/page.html', Buffer.from('new'))).rejects.toThrow('ENOTDIR');
  expect(readdirSync(join(folder, 'blog'))).toEqual(['first.html']);
});

test('removes files and ignores missing ones', async () => {
  const file = join(folder, 'blog.html');
  writeFileSync(file, 'old');
  await removeFiles([file, join(folder, 'gone.html'), join(folder, 'no', 'folder.html')]);
  expect(existsSync(file)).toBe(false);
});

test('does not remove a folder', async () => {
  mkdirSync(join(folder, 'blog'));
  await expect(removeFiles([join(folder, 'blog')])).rejects.toThrow(/EISDIR|directory/);
  expect(existsSync(join(folder, 'blog'))).toBe(true);
});
