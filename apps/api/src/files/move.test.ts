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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { moveNow } from './move.ts';

/** A folder on another file system than the temporary folder, if the machine has one. */
const elsewhere = ['/var/tmp', '/dev/shm'].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);

function makeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'site-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe.each([
  ['within a file system', tmpdir()],
  ...(elsewhere ? [['to another file system', elsewhere]] : []),
] as [string, string][])('%s', (_what, parent) => {
  test('moves a file and replaces an existing one', () => {
    const [from, to] = [makeFolder(tmpdir()), makeFolder(parent)];
    writeFileSync(join(from, 'a.webp'), 'new', { mode: 0o600 });
    writeFileSync(join(to, 'a.webp'), 'old');
    // Left by a kill.
    writeFileSync(join(to, '.new-a.webp'), 'ne');

    moveNow(join(from, 'a.webp'), join(to, 'a.webp'));

    expect(readdirSync(from)).toEqual([]);
    expect(readFileSync(join(to, 'a.webp'), 'utf8')).toBe('new');
    expect(statSync(join(to, 'a.webp')).mode & 0o777).toBe(0o600);
  });

  test('moves a folder', () => {
    const [from, to] = [makeFolder(tmpdir()), makeFolder(parent)];
    mkdirSync(join(from, 'id'));
    for (const name of ['1.webp', '2.avif']) writeFileSync(join(from, 'id', name), name);

    moveNow(join(from, 'id'), join(to, 'id'));

    expect(readdirSync(from)).toEqual([]);
    expect(readdirSync(to)).toEqual(['id']);
    for (const name of ['1.webp', '2.avif']) {
      expect(readFileSync(join(to, 'id', name), 'utf8')).toBe(name);
    }
  });

  test('ignores a missing file', () => {
    const [from, to] = [makeFolder(tmpdir()), makeFolder(parent)];
    moveNow(join(from, 'none'), join(to, 'none'));
    expect(readdirSync(to)).toEqual([]);
  });
});
