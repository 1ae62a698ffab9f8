import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../log.ts';
import { createHealth } from '../server/health/health.ts';
import { createMetrics } from '../server/metrics/metrics.ts';
import { startFaultyS3 } from '../testing/faulty-s3.ts';
import { isFullRun } from '../testing/full-run.ts';
import { s3ServerForFile } from '../testing/s3-server.ts';
import { until } from '../testing/until.ts';
import { maxObjectBytes, openBucket } from './bucket.ts';
import { S3Error } from './errors.ts';
import { createServerBucket } from './server-bucket.ts';

const server = s3ServerForFile();

async function startBucket() {
  const faulty = await startFaultyS3(server.endpoint);
  const log = createLog('silent');
  const health = createHealth(log);
  const uploads = server.uploadsAt(randomUUID(), faulty.endpoint);
  const bucket = createServerBucket({
    ...{ uploads, siteId: 'site', health, metrics: createMetrics(), log },
    timeouts: { read: 1_000, write: 1_000 },
  });
  onTestFinished(async () => {
    bucket.stop();
    await faulty[Symbol.asyncDispose]();
  });
  return { bucket, faulty, health, uploads };
}

test('times out when the server hangs, then rejects calls at once until it recovers', async () => {
  const { bucket, faulty, health, uploads } = await startBucket();
  const direct = openBucket(uploads.location, uploads.credentials, { timeout: 10_000 });
  await direct.put('a', Buffer.from('a'));
  let requests = 0;
  faulty.break('hang', {
    affects() {
      requests += 1;
      return true;
    },
  });
  await expect(bucket.get('a')).rejects.toThrow(/did not reply within 1 seconds/);
  const before = requests;
  await expect(Promise.all([1, 2, 3].map(() => bucket.get('a')))).rejects.toThrow(S3Error);
  expect(requests).toBe(before);
  expect(health.problems()).toEqual([
    'Avatars and pictures cannot be read: their storage does not answer.',
  ]);
  await expect(bucket.put('b', Buffer.from('b'))).rejects.toThrow(S3Error);
  faulty.break('none');
  await until(() => health.problems().length === 0);
  expect(String(await bucket.get('a'))).toBe('a');
});

test('does not serve removed objects from the cache', async () => {
  const { bucket } = await startBucket();
  await bucket.put('a', Buffer.from('a'));
  expect(String(await bucket.get('a'))).toBe('a');
  await bucket.remove('a');
  expect(await bucket.get('a')).toBeNull();
  expect(await bucket.copy('a', 'b')).toBe(false);
});

test('rejects an object that is too large, without affecting others', async () => {
  const { bucket, uploads, health } = await startBucket();
  const direct = openBucket(uploads.location, uploads.credentials, { timeout: 30_000 });
  await direct.put('large', Buffer.alloc(maxObjectBytes + 1));
  await direct.put('small', Buffer.from('small'));
  await expect(direct.get('large')).rejects.toThrow(/is larger than 10485760 bytes$/);
  expect(String(await bucket.get('small'))).toBe('small');
  expect(health.problems()).toEqual([]);
});

test.runIf(isFullRun)('lists more objects than fit into one response', async () => {
  const { uploads } = await startBucket();
  const bucket = openBucket(uploads.location, uploads.credentials, { timeout: 60_000 });
  const keys = Array.from({ length: 1_005 }, (_, index) => `k/${String(index).padStart(4, '0')}`);
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map((key) => bucket.put(key, Buffer.from(key))));
  }
  const found: string[] = [];
  for await (const { key, etag, age } of bucket.list('k/')) {
    expect(etag).toMatch(/^[\da-f]{32}$/);
    expect(age).toBeLessThan(600_000);
    found.push(key);
  }
  expect(found).toEqual(keys);
});
