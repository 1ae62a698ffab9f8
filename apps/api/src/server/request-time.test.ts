import { setTimeout as sleep } from 'node:timers/promises';
import { sharedCommit } from '@app/db/shared-commit';
import { writeTransaction } from '@app/db/write-transaction';
import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { insertPublishJob } from '../publishing/jobs.ts';
import { makeTestApp } from '../testing/test-app.ts';
import type { AppEnv } from './context.ts';
import { createMetrics } from './metrics/metrics.ts';
import { requestLog } from './request-log.ts';
import { measureRequest, timed } from './request-time.ts';

const pause = (milliseconds: number) => async (): Promise<void> => void (await sleep(milliseconds));

/** A query that takes some milliseconds. */
const count = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000) select max(i) as i from n`;

test('measures each phase, and the database, without overlap', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const began = performance.now();
  const spent = await measureRequest(async () => {
    await timed('hashing', pause(20));
    await timed('hashing', pause(20));
    await writeTransaction(db, (tx) => tx.get(count));
    await timed('publishing', async () => {
      await writeTransaction(db, (tx) => tx.get(count));
      await timed('rendering', pause(20));
    });
    await sharedCommit(db, (tx) => tx.get(count));
  });
  const all = performance.now() - began;

  expect(spent.hashing).toBeGreaterThan(35);
  expect(spent.publishing).toBeGreaterThan(18);
  expect(spent.database).toBeGreaterThan(0);
  expect(spent).toMatchObject({ body: 0, rendering: 0, images: 0 });
  expect(Object.values(spent).reduce((sum, part) => sum + part)).toBeLessThanOrEqual(all);
});

test('attributes time to the request that spends it', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const [idle, writing, waiting] = await Promise.all([
    measureRequest(pause(5)),
    measureRequest(async () => void (await writeTransaction(db, (tx) => tx.get(count)))),
    measureRequest(() => timed('body', pause(5))),
  ]);
  expect(idle).toEqual({
    database: 0,
    body: 0,
    hashing: 0,
    rendering: 0,
    images: 0,
    publishing: 0,
  });
  expect(writing.database).toBeGreaterThan(0);
  expect(writing.body).toBe(0);
  expect([waiting.database, waiting.body > 3]).toEqual([0, true]);
});

test('a failure counts, too', async () => {
  const spent = await measureRequest(async () => {
    await timed('images', async () => {
      await sleep(5);
      throw new Error('broken');
    }).catch(() => undefined);
  });
  expect(spent.images).toBeGreaterThan(3);
});

test('passwords, posts and pages are measured where they are made', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { passwords, bodies, publisher, db } = testApp.deps;
  const job = insertPublishJob(db, testApp.clock.now(), ['/blog']);
  const spent = await measureRequest(async () => {
    await passwords.verify(null, 'correct horse');
    await bodies.render('*text*', 'ann');
    await publisher.publish(job);
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
      await timed('rendering', pause(200));
      await sleep(100);
      return c.text('slow');
    })
    .post('/uploads', async (c) => {
      await timed('body', pause(300));
      return c.text('of a slow client');
    })
    .get('/fast', (c) => c.text('fast'));
  return { app, slow: () => lines.filter(({ msg }) => msg === 'slow request') };
}

test('a slow request is logged with what it waited for, and without its path', async () => {
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
    hashing: 0,
    database: 0,
    body: 0,
  });
  expect(line?.['rendering']).toBeGreaterThan(190);
  expect(line?.['other']).toBeGreaterThan(90);
  expect(line?.['milliseconds']).toBeGreaterThan(290);
  expect(JSON.stringify(line)).not.toContain('secret');
});
