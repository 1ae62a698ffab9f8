import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeTestApp } from '../testing/test-app.ts';
import type { AppEnv } from './context.ts';
import { createRateLimit, refuseTooMany } from './rate-limits.ts';

// The library reads the system's time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => vi.useRealTimers();
});

const options = { name: 'test', most: 9, seconds: 60 };

test('of 120 at once, exactly as many pass as may', async () => {
  await using testApp = await makeTestApp();
  const limit = createRateLimit(testApp.deps.db, options);
  const taken = await Promise.all(Array.from({ length: 120 }, () => limit.take('a')));
  expect(taken.filter(({ allowed }) => allowed)).toEqual(
    Array.from({ length: 9 }, (_, i) => ({ allowed: true, count: i + 1 })),
  );
});

test('the window begins with the first, and ends for all', async () => {
  await using testApp = await makeTestApp();
  const limit = createRateLimit(testApp.deps.db, options);
  for (let i = 0; i < 9; i++) await limit.take('a');
  vi.advanceTimersByTime(20_500);
  expect(await limit.take('a')).toEqual({ allowed: false, retryAfterSeconds: 40 });
  expect(await limit.take('b')).toEqual({ allowed: true, count: 1 });
  vi.advanceTimersByTime(39_500);
  expect(await limit.take('a')).toEqual({ allowed: true, count: 1 });
});

test('what is forgotten counts no more, in the memory of a flood either, and nothing else is', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const limit = createRateLimit(db, options);
  for (let i = 0; i < 12; i++) await limit.take('a');
  await limit.take('b');
  await limit.forget('a');
  expect(await limit.take('a')).toEqual({ allowed: true, count: 1 });
  expect(await limit.take('b')).toEqual({ allowed: true, count: 2 });
  expect(db.$client.pragma('synchronous', { simple: true })).toBe(2);
});

test('limits of other names count apart', async () => {
  await using testApp = await makeTestApp();
  await createRateLimit(testApp.deps.db, options).take('a');
  const other = createRateLimit(testApp.deps.db, { ...options, name: 'other' });
  expect(await other.take('a')).toEqual({ allowed: true, count: 1 });
});

test('a restart resets nothing', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  for (let count = 1; count <= 9; count++) {
    await using testApp = await makeTestApp({ dataDir });
    const limit = createRateLimit(testApp.deps.db, options);
    expect(await limit.take('a')).toEqual({ allowed: true, count });
  }
  await using testApp = await makeTestApp({ dataDir });
  expect(await createRateLimit(testApp.deps.db, options).take('a')).toMatchObject({
    allowed: false,
  });
});

test('what is stored afterwards is flushed again, and a database that fails is an error', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const limit = createRateLimit(db, options);
  await limit.take('a');
  expect(db.$client.pragma('synchronous', { simple: true })).toBe(2);
  db.$client.exec('DROP TABLE rate_limits');
  await expect(limit.take('a')).rejects.toThrow('no such table');
  expect(db.$client.pragma('synchronous', { simple: true })).toBe(2);
});

test('a request that is one too many is refused, with when to come back', async () => {
  await using testApp = await makeTestApp();
  const limit = createRateLimit(testApp.deps.db, { ...options, most: 1 });
  const app = new Hono<AppEnv>().post(
    '/',
    async (c) => (await refuseTooMany(c, testApp.deps, limit)) ?? c.text('taken'),
  );
  const from = (remoteAddress: string) =>
    app.request('/', { method: 'POST' }, { incoming: { socket: { remoteAddress } } });

  expect((await from('203.0.113.7')).status).toBe(200);
  const refused = await from('203.0.113.7');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('60');
  expect(await refused.json()).toMatchObject({
    detail: expect.stringMatching(/Please try again in a minute\.$/),
  });
  expect((await from('203.0.113.8')).status).toBe(200);
  for (let i = 0; i < 3; i++) expect((await from('127.0.0.1')).status).toBe(200);
});
