import { hour } from '@app/contract/durations';
import { setWritable } from '@app/db/testing/shared-connection';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import {
  connectedRedis,
  keyPrefix,
  type RedisServer,
  startRedisServer,
  whyNoRedis,
} from '../../testing/redis-server.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import { createHealth } from '../health/health.ts';
import { createRedis } from '../redis/redis.ts';

const limit = { name: 'test', max: 9, milliseconds: hour };
const message = { name: 'Vera Visitor', email: 'vera@example.com', message: 'Our phone rings.' };

describe.skipIf(whyNoRedis)('rate limits in Redis', () => {
  let started: Promise<RedisServer> | undefined;
  const server = () => {
    started ??= startRedisServer();
    return started;
  };
  beforeEach(async () => {
    await (await server()).command('FLUSHALL');
  });
  afterAll(async () => {
    await (await started)?.[Symbol.asyncDispose]();
  });

  const keys = async () => (await (await server()).command('KEYS', '*')) as string[];

  test('allow exactly the limit of 1,000 concurrent requests to two servers', async () => {
    using redis = await connectedRedis(await server());
    using other = await connectedRedis(await server());
    await using testApp = await makeTestApp({ redis });
    await using otherApp = await makeTestApp({ redis: other });
    // The clocks of the servers are hours apart: windows follow the clock of Redis.
    otherApp.clock.set(-7_200_000);
    const taken = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        (n % 2 ? testApp : otherApp).deps.rateLimits.take(limit, 'a'),
      ),
    );
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(9);
    otherApp.clock.move(7_200_000);
    expect(await otherApp.deps.rateLimits.take(limit, 'a')).toMatchObject({ allowed: false });
  });

  test('lock an account on all servers, and unlock it with the right password', async () => {
    using redis = await connectedRedis(await server());
    await using testApp = await makeTestApp({ redis });
    await using otherApp = await makeTestApp({ redis });
    const email = 'ann@example.com';
    await signedInBrowser(testApp, email);
    await signedInBrowser(otherApp, email);
    const signIn = async (browser: TestBrowser, password = 'wrong horse') =>
      (await browser.post('/api/auth/sign-in', { email, password })).status;
    for (let n = 0; n < 9; n += 1) {
      expect(await signIn((n % 2 ? testApp : otherApp).browser())).toBe(401);
    }
    expect(await signIn(testApp.browser(), 'correct horse')).toBe(200);
    for (let n = 0; n < 10; n += 1) {
      expect(await signIn((n % 2 ? testApp : otherApp).browser())).toBe(401);
    }
    expect(await signIn(testApp.browser(), 'correct horse')).toBe(429);
    expect(await signIn(otherApp.browser(), 'correct horse')).toBe(429);
  });

  test('count a form only if it is stored, not if it is repeated, refused or not stored', async () => {
    using redis = await connectedRedis(await server());
    await using testApp = await makeTestApp({ redis });
    const browser = testApp.browser();
    const send = async (sent: object) => (await browser.post('/api/contact', sent)).status;
    const counted = async () => {
      const found = (await keys()).filter((key) => key.startsWith(`${keyPrefix}limit:form-posts:`));
      return found.length === 0 ? 0 : Number(await (await server()).command('GET', ...found));
    };
    expect(await send({ ...message, email: 'nobody' })).toBe(422);
    expect(await counted()).toBe(0);
    for (let n = 0; n < 3; n += 1) expect(await send(message)).toBe(201);
    expect(await counted()).toBe(1);
    await setWritable(testApp.deps.db, false);
    expect(await send({ ...message, message: 'Another message.' })).toBe(503);
    await setWritable(testApp.deps.db, true);
    expect(await counted()).toBe(1);
    expect(await send({ ...message, message: 'Another message.' })).toBe(201);
    expect(await counted()).toBe(2);
  });

  test('expire, and their keys contain no address', async () => {
    using redis = await connectedRedis(await server());
    await using testApp = await makeTestApp({ redis });
    await signedInBrowser(testApp, 'ann@example.com');
    await testApp.browser().post('/api/auth/sign-in', {
      ...{ email: 'ann@example.com', password: 'wrong horse' },
    });
    const all = await keys();
    expect(all.length).toBeGreaterThan(3);
    for (const key of all) {
      expect(key).toMatch(/^localhost:4321:(?:probe|limit:[a-z-]+:[\w-]{43})$/);
      expect(await (await server()).command('PTTL', key)).toBeGreaterThan(0);
    }
    expect(testApp.deps.db.$client.prepare('SELECT * FROM rate_limits').all()).toEqual([]);
  });

  test('are stricter and per server while Redis is down, and shared again when it is back', async () => {
    await using own = await startRedisServer();
    const lines: string[] = [];
    const health = createHealth(createLog('info', { write: (line: string) => lines.push(line) }));
    const redis = createRedis({ redis: own.settings, health });
    try {
      await using testApp = await makeTestApp({ redis });
      const { rateLimits } = testApp.deps;
      const allowed = async (key: string, count: number) => {
        let total = 0;
        for (let n = 0; n < count; n += 1) {
          if ((await rateLimits.take(limit, key)).allowed) total += 1;
        }
        return total;
      };
      await until(redis.isUsable);
      const before = lines.length;

      await own.kill();
      await until(() => !redis.isUsable());
      expect(await allowed('a', 12)).toBe(3);
      expect(health.problems()).toEqual([
        'Redis cannot be used: rate limits are stricter, and each server counts for itself.',
      ]);

      await own.start();
      await until(redis.isUsable);
      expect(health.problems()).toEqual([]);
      expect(lines.slice(before).map((line) => JSON.parse(line))).toMatchObject([
        { level: 'error', msg: 'degraded', source: 'redis', reason: expect.any(String) },
        { level: 'info', msg: 'recovered', source: 'redis' },
      ]);
    } finally {
      redis.stop();
    }
  });
});
