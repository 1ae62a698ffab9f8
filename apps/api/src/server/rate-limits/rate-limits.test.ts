import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hour, minute } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { setWritable } from '@app/db/testing/shared-connection';
import { writeTransaction } from '@app/db/write-transaction';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import type { AppEnv } from '../context.ts';
import { limitByClient } from './middleware.ts';
import type { RateLimit } from './rate-limits.ts';

describe('rate limits', () => {
  const limitOf = (max: number, name = 'test'): RateLimit => ({ name, max, milliseconds: hour });

  async function makeSubject() {
    const testApp = await makeTestApp();
    const { rateLimits, db } = testApp.deps;
    return {
      testApp,
      rateLimits,
      pass: (milliseconds: number) => testApp.clock.move(milliseconds),
      take: (key: string, limit = limitOf(3)) => rateLimits.take(limit, key),
      transact: <T>(work: (tx: Transaction) => T) => writeTransaction(db, work),
      [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
    };
  }

  test('allow exactly the limit of 120 concurrent requests', async () => {
    await using subject = await makeSubject();
    const limit = limitOf(9);
    const taken = await Promise.all(Array.from({ length: 120 }, () => subject.take('a', limit)));
    expect(taken.flatMap((each) => (each.allowed ? [each.count] : []))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  test('have a window that starts with the first request', async () => {
    await using subject = await makeSubject();
    for (let n = 0; n < 2; n += 1) await subject.take('a');
    subject.pass(1_200_000);
    expect(await subject.take('a')).toEqual({ allowed: true, count: 3 });
    for (let n = 0; n < 3; n += 1) {
      const refused = await subject.take('a');
      if (refused.allowed) expect.unreachable();
      else expect(Math.abs(refused.retryAfterSeconds - 2_250)).toBeLessThanOrEqual(150);
    }
    expect(await subject.take('b')).toEqual({ allowed: true, count: 1 });
    subject.pass(2_400_000);
    expect(await subject.take('a')).toEqual({ allowed: true, count: 1 });
  });

  test('end a window that is longer than that of the current limit', async () => {
    await using subject = await makeSubject();
    const limit = limitOf(3);
    for (let n = 0; n < 3; n += 1) await subject.take('a', limit);
    expect(await subject.take('a', { ...limit, milliseconds: minute })).toEqual({
      allowed: true,
      count: 1,
    });
  });

  test('count names and keys separately, however hostile', async () => {
    await using subject = await makeSubject();
    const keys = ['a', 'a\n', 'a\r\nDEL a', 'A', '', '*', ' a', 'ä', 'x'.repeat(100_000), '\0'];
    for (const key of keys) {
      expect([key, await subject.take(key)]).toEqual([key, { allowed: true, count: 1 }]);
    }
    const other = await subject.take('a', limitOf(3, 'other'));
    expect(other).toEqual({ allowed: true, count: 1 });
    expect(await subject.take('a')).toEqual({ allowed: true, count: 2 });
  });

  test('forget one key', async () => {
    await using subject = await makeSubject();
    for (let n = 0; n < 5; n += 1) await subject.take('a');
    await subject.take('b');
    await subject.rateLimits.forget(limitOf(3), 'a');
    expect(await subject.take('a')).toEqual({ allowed: true, count: 1 });
    expect(await subject.take('b')).toEqual({ allowed: true, count: 2 });
  });

  test('count one step after the other, until one refuses', async () => {
    await using subject = await makeSubject();
    const [wide, narrow] = [limitOf(3, 'wide'), limitOf(1, 'narrow')];
    const taken = () => subject.rateLimits.takeSteps([[], [[wide, 'a']], [[narrow, 'b']]]);
    expect(await taken()).toEqual({ allowed: true, count: 1 });
    for (const step of [2, 2, 1]) {
      expect(await taken()).toMatchObject({ allowed: false, step });
    }
  });

  test('count a request with all counters of a step or with none', async () => {
    await using subject = await makeSubject();
    const [wide, narrow] = [limitOf(2, 'wide'), limitOf(1, 'narrow')];
    const taken = (key: string) =>
      subject.rateLimits.takeSteps([
        [
          [wide, 'a'],
          [narrow, key],
        ],
      ]);
    expect(await taken('b')).toEqual({ allowed: true, count: 1 });
    for (let n = 0; n < 3; n += 1) {
      expect(await taken('b')).toMatchObject({ allowed: false, step: 0 });
    }
    expect(await taken('c')).toMatchObject({ allowed: true });
    expect(await taken('d')).toMatchObject({ allowed: false });
    expect(await subject.take('d', narrow)).toEqual({ allowed: true, count: 1 });
  });

  test('count in a transaction only if it commits', async () => {
    await using subject = await makeSubject();
    const { rateLimits, transact } = subject;
    const limit = limitOf(3);
    const counted = () => transact((tx) => rateLimits.takeIn(tx, limit, 'a'));
    const failing = () =>
      transact((tx) => {
        rateLimits.takeIn(tx, limit, 'a');
        throw new Error('not stored');
      });
    for (let count = 1; count <= 3; count += 1) {
      await expect(failing()).rejects.toThrow('not stored');
      expect(await counted()).toEqual({ allowed: true, count });
    }
    expect(await counted()).toMatchObject({ allowed: false });
  });

  test('refuse attempts to sign in above the limit, with Retry-After', async () => {
    await using subject = await makeSubject();
    const { testApp } = subject;
    const browser = testApp.browser();
    const attempt = { email: 'nobody@example.com', password: 'wrong horse' };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      statuses.push((await browser.post('/api/auth/sign-in', attempt)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const refused = await browser.post('/api/auth/sign-in', attempt);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(600);
  });
});

const limit = { name: 'test', max: 9, milliseconds: minute };

const take = ({ deps }: TestApp, key: string) => deps.rateLimits.take(limit, key);

test('a refused request writes nothing', async () => {
  await using testApp = await makeTestApp();
  for (let i = 0; i < 9; i++) await take(testApp, 'a');
  const before = allRows(testApp.deps.db);
  for (let i = 0; i < 3; i++) expect(await take(testApp, 'a')).toMatchObject({ allowed: false });
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test('ends a window that was stored while the clock was ahead', async () => {
  await using testApp = await makeTestApp();
  testApp.clock.set(hour);
  for (let i = 0; i < 9; i++) await take(testApp, 'a');
  testApp.clock.set(-hour);
  expect(await take(testApp, 'a')).toEqual({ allowed: true, count: 1 });
});

test('stores no email or IP addresses', async () => {
  await using testApp = await makeTestApp();
  await take(testApp, 'ann@example.com');
  await take(testApp, '203.0.113.7');
  const keys = allRows(testApp.deps.db)['rate_limits'];
  expect(keys).toHaveLength(2);
  for (const row of keys ?? []) {
    expect(row).toMatchObject({ key: expect.stringMatching(/^test:[\w-]{43}$/) });
  }
});

test('counts survive a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  for (let count = 1; count <= 9; count++) {
    await using testApp = await makeTestApp({ dataDir });
    expect(await take(testApp, 'a')).toEqual({ allowed: true, count });
  }
  await using testApp = await makeTestApp({ dataDir });
  expect(await take(testApp, 'a')).toMatchObject({ allowed: false });
});

test('allows only read requests while the database is not writable', async () => {
  await using testApp = await makeTestApp();
  const { db, rateLimits } = testApp.deps;
  await setWritable(db, false);
  await expect(take(testApp, 'a')).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
  expect(await rateLimits.takeForRead(limit, 'a')).toEqual({ allowed: true, count: 0 });
  await setWritable(db, true);
  for (let count = 1; count <= 9; count++) {
    expect(await rateLimits.takeForRead(limit, 'a')).toEqual({ allowed: true, count });
  }
  expect(await rateLimits.takeForRead(limit, 'a')).toMatchObject({ allowed: false });
});

test('a schema error is not treated as a full disk', async () => {
  await using testApp = await makeTestApp();
  const { db, rateLimits } = testApp.deps;
  db.$client.exec('ALTER TABLE rate_limits RENAME COLUMN count TO used');
  await expect(take(testApp, 'a')).rejects.toThrow('no such column');
  await expect(rateLimits.takeForRead(limit, 'a')).rejects.toThrow('no such column');
});

test('refuses a request over the limit with Retry-After', async () => {
  await using testApp = await makeTestApp();
  const once = { ...limit, max: 1 };
  const app = new Hono<AppEnv>().post('/', limitByClient(testApp.deps, once), (c) =>
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
