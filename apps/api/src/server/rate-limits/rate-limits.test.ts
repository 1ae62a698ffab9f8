import { hour, minute } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { describe, expect, test } from 'vitest';
import {
  connectedRedis,
  startRedisServer,
  unusableRedis,
  whyNoRedis,
} from '../../testing/redis-server.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import type { RateLimit } from './rate-limits.ts';

interface Subject extends AsyncDisposable {
  testApp: TestApp;
  /** It divides each limit by this. */
  share: number;
  /** Lets time pass. */
  pass(milliseconds: number): Promise<void>;
}

const shorten = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  redis.call('PEXPIRE', key, redis.call('PTTL', key) - ARGV[1])
end`;

const subjects: [name: string, reason: string | undefined, make: () => Promise<Subject>][] = [
  [
    'in the database',
    undefined,
    async () => {
      const testApp = await makeTestApp();
      return {
        testApp,
        share: 1,
        pass: async (milliseconds) => testApp.clock.move(milliseconds),
        [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
      };
    },
  ],
  [
    'in memory, without Redis',
    undefined,
    async () => {
      const testApp = await makeTestApp({ redis: unusableRedis });
      return {
        testApp,
        share: 3,
        pass: async (milliseconds) => testApp.clock.move(milliseconds),
        [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
      };
    },
  ],
  [
    'in Redis',
    whyNoRedis,
    async () => {
      const server = await startRedisServer();
      const redis = await connectedRedis(server);
      const testApp = await makeTestApp({ redis });
      return {
        testApp,
        share: 1,
        async pass(milliseconds) {
          await server.command('EVAL', shorten, '0', String(milliseconds));
        },
        async [Symbol.asyncDispose]() {
          redis.stop();
          await testApp[Symbol.asyncDispose]();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  ],
];

describe.for(subjects)('rate limits %s', ([, reason, make]) => {
  async function makeSubject() {
    const subject = await make();
    const { rateLimits, db } = subject.testApp.deps;
    const limitOf = (max: number, name = 'test'): RateLimit => ({
      ...{ name, max: max * subject.share, milliseconds: hour },
    });
    return {
      ...subject,
      rateLimits,
      limitOf,
      take: (key: string, limit = limitOf(3)) => rateLimits.take(limit, key),
      transact: <T>(work: (tx: Transaction) => T) => writeTransaction(db, work),
    };
  }

  test.skipIf(reason)('allow exactly the limit of 120 concurrent requests', async () => {
    await using subject = await makeSubject();
    const limit = subject.limitOf(9);
    const taken = await Promise.all(Array.from({ length: 120 }, () => subject.take('a', limit)));
    expect(taken.flatMap((each) => (each.allowed ? [each.count] : []))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  test.skipIf(reason)('have a window that starts with the first request', async () => {
    await using subject = await makeSubject();
    for (let n = 0; n < 2; n += 1) await subject.take('a');
    await subject.pass(1_200_000);
    expect(await subject.take('a')).toEqual({ allowed: true, count: 3 });
    for (let n = 0; n < 3; n += 1) {
      const refused = await subject.take('a');
      if (refused.allowed) expect.unreachable();
      else expect(Math.abs(refused.retryAfterSeconds - 2_250)).toBeLessThanOrEqual(150);
    }
    expect(await subject.take('b')).toEqual({ allowed: true, count: 1 });
    await subject.pass(2_400_000);
    expect(await subject.take('a')).toEqual({ allowed: true, count: 1 });
  });

  test.skipIf(reason)('end a window that is longer than that of the current limit', async () => {
    await using subject = await makeSubject();
    const limit = subject.limitOf(3);
    for (let n = 0; n < 3; n += 1) await subject.take('a', limit);
    expect(await subject.take('a', { ...limit, milliseconds: minute })).toEqual({
      allowed: true,
      count: 1,
    });
  });

  test.skipIf(reason)('count names and keys separately, however hostile', async () => {
    await using subject = await makeSubject();
    const keys = ['a', 'a\n', 'a\r\nDEL a', 'A', '', '*', ' a', 'ä', 'x'.repeat(100_000), '\0'];
    for (const key of keys) {
      expect([key, await subject.take(key)]).toEqual([key, { allowed: true, count: 1 }]);
    }
    const other = await subject.take('a', subject.limitOf(3, 'other'));
    expect(other).toEqual({ allowed: true, count: 1 });
    expect(await subject.take('a')).toEqual({ allowed: true, count: 2 });
  });

  test.skipIf(reason)('forget one key', async () => {
    await using subject = await makeSubject();
    for (let n = 0; n < 5; n += 1) await subject.take('a');
    await subject.take('b');
    await subject.rateLimits.forget(subject.limitOf(3), 'a');
    expect(await subject.take('a')).toEqual({ allowed: true, count: 1 });
    expect(await subject.take('b')).toEqual({ allowed: true, count: 2 });
  });

  test.skipIf(reason)('count one step after the other, until one refuses', async () => {
    await using subject = await makeSubject();
    const [wide, narrow] = [subject.limitOf(3, 'wide'), subject.limitOf(1, 'narrow')];
    const taken = () => subject.rateLimits.takeSteps([[], [[wide, 'a']], [[narrow, 'b']]]);
    expect(await taken()).toEqual({ allowed: true, count: 1 });
    for (const step of [2, 2, 1]) {
      expect(await taken()).toMatchObject({ allowed: false, step });
    }
  });

  test.skipIf(reason)('count a request with all counters of a step or with none', async () => {
    await using subject = await makeSubject();
    const [wide, narrow] = [subject.limitOf(2, 'wide'), subject.limitOf(1, 'narrow')];
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

  test.skipIf(reason)('count only if the transaction commits and has used the count', async () => {
    await using subject = await makeSubject();
    const limit = subject.limitOf(3);
    const { rateLimits, transact } = subject;
    const used = () => rateLimits.takeInTransaction(limit, 'a', (take) => transact(take));
    const unused = () => rateLimits.takeInTransaction(limit, 'a', () => transact(() => 'unused'));
    const failing = () =>
      rateLimits.takeInTransaction(limit, 'a', (take) =>
        transact((tx) => {
          take(tx);
          throw new Error('not stored');
        }),
      );
    for (let count = 1; count <= 3; count += 1) {
      expect(await unused()).toBe('unused');
      await expect(failing()).rejects.toThrow('not stored');
      expect(await used()).toEqual({ allowed: true, count });
    }
    expect(await used()).toMatchObject({ allowed: false });
    expect(await unused()).toBe('unused');
    expect(await used()).toMatchObject({ allowed: false });
  });

  test.skipIf(reason)('refuse attempts to sign in above the limit, with Retry-After', async () => {
    await using subject = await makeSubject();
    const { testApp } = subject;
    const browser = testApp.browser();
    const attempt = { email: 'nobody@example.com', password: 'wrong horse' };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      statuses.push((await browser.post('/api/auth/sign-in', attempt)).status);
    }
    const allowed = Math.floor(10 / subject.share);
    expect(statuses).toEqual([
      ...Array<number>(allowed).fill(401),
      ...Array<number>(12 - allowed).fill(429),
    ]);
    const refused = await browser.post('/api/auth/sign-in', attempt);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(600);
  });
});
