import { hour, minute } from '@app/contract/durations';
import type { Transaction } from '@app/db/open';
import { writeTransaction } from '@app/db/write-transaction';
import { describe, expect, test } from 'vitest';
import { makeTestApp } from '../../testing/test-app.ts';
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

  test('count only if the transaction commits and has used the count', async () => {
    await using subject = await makeSubject();
    const limit = limitOf(3);
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
