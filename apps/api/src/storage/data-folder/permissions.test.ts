import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../log.ts';
import { until } from '../../testing/until.ts';
import { restrictDataFolder, restrictNewFiles } from './permissions.ts';

const log = createLog('silent');
let dataDir: string;

/** A folder from a version that did not restrict permissions. */
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'permissions-'));
  for (const folder of ['mail', 'releases/one/blog', 'uploads/avatars/ann']) {
    mkdirSync(join(dataDir, folder), { recursive: true });
  }
  for (const file of [
    'site.db',
    'mail/1.eml',
    'releases/one/blog/post.html',
    'uploads/avatars/ann/1.webp',
  ]) {
    writeFileSync(join(dataDir, file), 'x');
    chmodSync(join(dataDir, file), 0o644);
  }
  for (const folder of ['', 'mail', 'releases', 'releases/one', 'uploads/avatars']) {
    chmodSync(join(dataDir, folder), 0o755);
  }
  return () => rmSync(dataDir, { recursive: true });
});

const modeOf = (path: string): string => (statSync(join(dataDir, path)).mode & 0o777).toString(8);

test('gives access only to the owner', async () => {
  restrictDataFolder(dataDir, 'owner', log);
  expect(['', 'site.db', 'mail', 'releases', 'uploads'].map(modeOf)).toEqual([
    '700',
    '600',
    '700',
    '700',
    '700',
  ]);
  await until(() => modeOf('releases/one/blog/post.html') === '600');
  await until(() => modeOf('uploads/avatars/ann/1.webp') === '600');
  await until(() => modeOf('mail/1.eml') === '600');
  expect(modeOf('releases/one')).toBe('700');
});

test('lets the group read only published files with SITE_READERS=group', async () => {
  restrictDataFolder(dataDir, 'group', log);
  expect(['', 'site.db', 'mail', 'releases', 'uploads'].map(modeOf)).toEqual([
    '710',
    '600',
    '700',
    '750',
    '700',
  ]);
  await until(() => modeOf('releases/one/blog/post.html') === '640');
  await until(() => modeOf('uploads/avatars/ann/1.webp') === '600');
  expect(modeOf('releases/one/blog')).toBe('750');
});

test('does not follow links out of the folder', () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  chmodSync(outside, 0o755);
  symlinkSync(outside, join(dataDir, 'site'));
  restrictDataFolder(dataDir, 'owner', log);
  expect((statSync(outside).mode & 0o777).toString(8)).toBe('755');
});

test.each([
  ['owner', '600', '700'],
  ['group', '640', '750'],
] as const)('restricts new files with SITE_READERS=%s', (readers, file, folder) => {
  const before = process.umask();
  onTestFinished(() => void process.umask(before));
  restrictNewFiles(readers);
  writeFileSync(join(dataDir, 'new'), '');
  mkdirSync(join(dataDir, 'new-folder'));
  expect([modeOf('new'), modeOf('new-folder')]).toEqual([file, folder]);
});
