import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hour, minute } from '@app/contract/durations';
import { setWritable } from '@app/db/testing/shared-connection';
import { writeTransaction } from '@app/db/write-transaction';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import type { AppEnv } from '../context.ts';
import { limitByClient } from './middleware.ts';

const limit = { name: 'test', max: 9, milliseconds: minute };

const take = ({ deps }: TestApp, key: string) => deps.rateLimits.take(limit, key);

test('returns the seconds until the window ends when it refuses a request', async () => {
  await using testApp = await makeTestApp();
  for (let i = 0; i < 9; i++) await take(testApp, 'a');
  testApp.clock.move(20_500);
  expect(await take(testApp, 'a')).toEqual({ allowed: false, retryAfterSeconds: 40, step: 0 });
  testApp.clock.move(39_500);
  expect(await take(testApp, 'a')).toEqual({ allowed: true, count: 1 });
});

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

test('counts in the same transaction as the change that it limits', async () => {
  await using testApp = await makeTestApp();
  const { db, rateLimits } = testApp.deps;
  await rateLimits.takeInTransaction(limit, 'a', (count) =>
    writeTransaction(db, (tx) => {
      const before = allRows(db)['rate_limits'];
      expect(count(tx)).toEqual({ allowed: true, count: 1 });
      expect([before, allRows(db)['rate_limits']]).toMatchObject([[], [{ count: 1 }]]);
    }),
  );
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
