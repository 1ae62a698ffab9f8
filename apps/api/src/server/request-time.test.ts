import { sharedCommit } from '@app/db/shared-commit';
import { writeTransaction } from '@app/db/write-transaction';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { logChange } from '../publishing/log.ts';
import { makeTestApp } from '../testing/test-app.ts';
import type { AppEnv } from './context.ts';
import { createMetrics } from './metrics/metrics.ts';
import { requestLog } from './request-log.ts';
import { measureRequest, timed } from './request-time.ts';

const nothing = { database: 0, body: 0, hashing: 0, rendering: 0, images: 0, publishing: 0 };

/** In milliseconds. */
const spend = (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds);
const spending = (milliseconds: number) => async (): Promise<void> => spend(milliseconds);

function useFakePerformance(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('measures each phase, and the database, without overlap', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  useFakePerformance();
  const spent = await measureRequest(async () => {
    await timed('hashing', spending(20));
    await timed('hashing', spending(20));
    await writeTransaction(db, () => spend(3));
    await timed('publishing', async () => {
      await writeTransaction(db, () => spend(5));
      await timed('rendering', spending(20));
    });
    await sharedCommit(db, () => spend(7));
    spend(100);
  });
  expect(spent).toEqual({ ...nothing, hashing: 40, publishing: 25, database: 10 });
});

test('attributes time to the request that spends it', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  useFakePerformance();
  const sent = Promise.withResolvers<void>();
  const uploading = measureRequest(() => timed('body', () => sent.promise));
  const idle = await measureRequest(spending(5));
  const writing = await measureRequest(() => writeTransaction(db, () => spend(7)));
  sent.resolve();
  expect(idle).toEqual(nothing);
  expect(writing).toEqual({ ...nothing, database: 7 });
  expect(await uploading).toEqual({ ...nothing, body: 12 });
});

test('counts the time of work that fails', async () => {
  useFakePerformance();
  const spent = await measureRequest(async () => {
    await timed('images', async () => {
      spend(5);
      throw new Error('broken');
    }).catch(() => undefined);
  });
  expect(spent).toEqual({ ...nothing, images: 5 });
});

test('measures hashing, rendering and publishing', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { passwords, bodies, publisher, db } = testApp.deps;
  const change = logChange(db, testApp.clock.now(), ['/blog']);
  const spent = await measureRequest(async () => {
    await passwords.verify([], 'correct horse');
    await bodies.render('*text*', 'ann');
    await publisher.publish(change);
  });
  expect(spent.hashing).toBeGreaterThan(0);
  expect(spent.rendering).toBeGreaterThan(0);
  expect(spent.publishing).toBeGreaterThan(0);
});

function makeLoggedApp() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const app = new Hono<AppEnv>()
    .use(requestLog({ log, metrics: createMetrics(), isHttps: false }))
    .get('/posts/:slug', async (c) => {
      await timed('rendering', spending(200));
      spend(100);
      return c.text('slow');
    })
    .post('/uploads', async (c) => {
      await timed('body', spending(300));
      return c.text('of a slow client');
    })
    .get('/fast', (c) => c.text('fast'));
  return { app, slow: () => lines.filter(({ msg }) => msg === 'slow request') };
}

test('logs what a slow request waited for, without its path', async () => {
  useFakePerformance();
  const { app, slow } = makeLoggedApp();
  await app.request('/posts/a-secret?token=secret');
  await app.request('/fast');
  await app.request('/uploads', { method: 'POST' });

  const [line] = slow();
  expect(slow()).toHaveLength(1);
  expect(line).toMatchObject({
    level: 'warn',
    method: 'GET',
    route: '/posts/:slug',
    status: 200,
    ...nothing,
    rendering: 200,
    other: 100,
    milliseconds: 300,
  });
  expect(JSON.stringify(line)).not.toContain('secret');
});
