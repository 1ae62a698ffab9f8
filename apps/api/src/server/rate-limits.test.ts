import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { allRows } from '../testing/tables.ts';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';
import type { AppEnv } from './context.ts';
import { countReadRequest, countRequest, createRateLimit, limitByClient } from './rate-limits.ts';

const options = { name: 'test', max: 9, seconds: 60 };

function limitOf({ deps }: TestApp, changed: Partial<typeof options> = {}) {
  const limit = createRateLimit(deps, { ...options, ...changed });
  return {
    limit,
    take: (key: string) => countRequest(deps, limit, key),
    forget: (key: string) => deps.db.transaction((tx) => limit.forget(tx, key)),
  };
}

test('allows exactly the limit of 120 concurrent requests', async () => {
  await using testApp = await makeTestApp();
  const { take } = limitOf(testApp);
  const taken = await Promise.all(Array.from({ length: 120 }, () => take('a')));
  expect(taken.filter(({ allowed }) => allowed)).toEqual(
    Array.from({ length: 9 }, (_, i) => ({ allowed: true, count: i + 1 })),
  );
});

test('the window starts with the first request', async () => {
  await using testApp = await makeTestApp();
  const { take } = limitOf(testApp);
  for (let i = 0; i < 9; i++) await take('a');
  testApp.clock.move(20_500);
  expect(await take('a')).toEqual({ allowed: false, retryAfterSeconds: 40 });
  expect(await take('b')).toEqual({ allowed: true, count: 1 });
  testApp.clock.move(39_500);
  expect(await take('a')).toEqual({ allowed: true, count: 1 });
});

test('a refused request writes nothing', async () => {
  await using testApp = await makeTestApp();
  const { take } = limitOf(testApp);
  for (let i = 0; i < 9; i++) await take('a');
  const before = allRows(testApp.deps.db);
  for (let i = 0; i < 3; i++) expect(await take('a')).toMatchObject({ allowed: false });
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test('ends a window from a clock that was ahead', async () => {
  await using testApp = await makeTestApp();
  const { take } = limitOf(testApp);
  testApp.clock.set(3_600_000);
  for (let i = 0; i < 9; i++) await take('a');
  testApp.clock.set(-3_600_000);
  expect(await take('a')).toEqual({ allowed: true, count: 1 });
});

test('forget resets one key', async () => {
  await using testApp = await makeTestApp();
  const { take, forget } = limitOf(testApp);
  for (let i = 0; i < 12; i++) await take('a');
  await take('b');
  forget('a');
  expect(await take('a')).toEqual({ allowed: true, count: 1 });
  expect(await take('b')).toEqual({ allowed: true, count: 2 });
});

test('limits with different names count separately', async () => {
  await using testApp = await makeTestApp();
  await limitOf(testApp).take('a');
  expect(await limitOf(testApp, { name: 'other' }).take('a')).toEqual({ allowed: true, count: 1 });
});

test('a count is rolled back with its transaction', async () => {
  await using testApp = await makeTestApp();
  const { limit, take } = limitOf(testApp);
  const failing = () =>
    testApp.deps.db.transaction((tx) => {
      limit.take(tx, 'a');
      throw new Error('not stored');
    });
  expect(failing).toThrow('not stored');
  expect(await take('a')).toEqual({ allowed: true, count: 1 });
});

test('counts survive a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  for (let count = 1; count <= 9; count++) {
    await using testApp = await makeTestApp({ dataDir });
    expect(await limitOf(testApp).take('a')).toEqual({ allowed: true, count });
  }
  await using testApp = await makeTestApp({ dataDir });
  expect(await limitOf(testApp).take('a')).toMatchObject({ allowed: false });
});

test('allows only read requests while the database is not writable', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { limit, take } = limitOf(testApp);
  db.$client.pragma('query_only = ON');
  await expect(take('a')).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
  expect(countReadRequest(testApp.deps, limit, 'a')).toEqual({ allowed: true, count: 0 });
  db.$client.pragma('query_only = OFF');
  for (let count = 1; count <= 9; count++) {
    expect(countReadRequest(testApp.deps, limit, 'a')).toEqual({ allowed: true, count });
  }
  expect(countReadRequest(testApp.deps, limit, 'a')).toMatchObject({ allowed: false });
});

test('a schema error is not treated as a full disk', async () => {
  await using testApp = await makeTestApp();
  const { limit, take } = limitOf(testApp);
  testApp.deps.db.$client.exec('ALTER TABLE rate_limits RENAME COLUMN count TO used');
  await expect(take('a')).rejects.toThrow('no such column');
  expect(() => countReadRequest(testApp.deps, limit, 'a')).toThrow('no such column');
});

test('refuses a request over the limit with Retry-After', async () => {
  await using testApp = await makeTestApp();
  const { limit } = limitOf(testApp, { max: 1 });
  const app = new Hono<AppEnv>().post('/', limitByClient(testApp.deps, limit), (c) =>
    c.text('taken'),
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
