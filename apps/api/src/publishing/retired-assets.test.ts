import { day } from '@app/contract/durations';
import { expect, test } from 'vitest';
import { retireAssets } from './retired-assets.ts';

test('retires assets that a new build lacks, and keeps those retired within the last day', () => {
  const served = { assets: ['shared', 'old'], retired: { older: 1, oldest: 0 } };
  expect(retireAssets(served, [], ['shared', 'new'], day)).toEqual({ old: day, older: 1 });
  expect(retireAssets(null, [], ['new'], day)).toEqual({});
});

test('retires the assets of an unpublished build', () => {
  const served = { assets: ['old'], retired: { older: 1 } };
  const retired = retireAssets(served, ['old', 'older', 'left', 'new'], ['new'], 2);
  expect(retired).toEqual({ old: 2, older: 1, left: 2 });
});

test('restarts the day of an asset that was used again', () => {
  const back = retireAssets({ assets: ['b'], retired: { a: 1 } }, [], ['a'], 2);
  expect(back).toEqual({ b: 2 });
  expect(retireAssets({ assets: ['a'], retired: back }, [], ['c'], 3)).toEqual({ a: 3, b: 2 });
});

test('keeps only the 2,000 newest assets', () => {
  const retired = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`asset-${n}`, n]));
  const retained = Object.keys(retireAssets({ assets: ['old'], retired }, [], ['new'], 3_000));
  expect(retained).toHaveLength(2_000);
  expect(retained).toContain('old');
  expect(retained).toContain('asset-2999');
  expect(retained).not.toContain('asset-1000');
});
