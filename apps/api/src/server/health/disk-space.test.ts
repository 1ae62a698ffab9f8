import { statfsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeDataDir } from '../../testing/blog.ts';
import { createDiskSpace } from './disk-space.ts';

const gigabyte = 1e9;
const bsize = 4_096;

test.each([
  ['a small server that always works', 20, 1.5, false, false],
  ['a large disk with more than 1 GB', 2_000, 1.01, false, false],
  ['a large disk with less than 1 GB', 2_000, 0.99, true, false],
  ['a large disk with less than 0.1 GB', 2_000, 0.09, true, true],
  ['a small disk with more than a tenth', 4, 0.41, false, false],
  ['a small disk with less than a tenth', 4, 0.39, true, false],
  ['a small disk with less than a hundredth', 4, 0.03, true, true],
  ['a full disk', 20, 0, true, true],
])('%s: %d GB, of which %d are free', (_, size, free, member, staff) => {
  const { isShort } = createDiskSpace('/data', () => ({
    ...{ bsize, blocks: (size * gigabyte) / bsize, bavail: (free * gigabyte) / bsize },
  }));
  expect([isShort('member'), isShort('staff')]).toEqual([member, staff]);
});

test('reads the disk of the folder', () => {
  const folder = makeDataDir();
  const { bavail, blocks } = statfsSync(folder);
  expect(createDiskSpace(folder).isShort('staff')).toBe(
    bavail * bsize < Math.min(gigabyte / 10, (blocks * bsize) / 100),
  );
});
