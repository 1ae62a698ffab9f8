import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { afterEach, expect, test, vi } from 'vitest';
import { createPasswords } from './passwords.ts';

/** The current and the maximum number of concurrent hashes. */
const load = vi.hoisted(() => ({ now: 0, max: 0 }));

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof argon2>();
  const counted =
    <Arguments extends unknown[], Result>(work: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      load.now += 1;
      load.max = Math.max(load.max, load.now);
      try {
        return await work(...args);
      } finally {
        load.now -= 1;
      }
    };
  return { ...real, hash: vi.fn(counted(real.hash)), verify: vi.fn(counted(real.verify)) };
});

afterEach(() => {
  load.max = 0;
  vi.clearAllMocks();
});

test('hashes with argon2id: 19 MiB, two passes, one lane, a random salt', async () => {
  const passwords = createPasswords();
  const [one, two] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
});

test('matches only the right password', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('secret');
  expect(await passwords.verify(hash, 'secret')).toBe(true);
  expect(await passwords.verify(hash, 'Secret')).toBe(false);
  expect(await passwords.verify(hash, '')).toBe(false);
});

test('does the same work without an account', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('secret');
  await passwords.verify(hash, 'wrong');
  const work = vi.mocked(argon2.verify).mock.lastCall?.[0];
  vi.mocked(argon2.verify).mockClear();

  expect(await passwords.verify(null, 'nobody has this password')).toBe(false);

  expect(argon2.verify).toHaveBeenCalledOnce();
  const [compared] = vi.mocked(argon2.verify).mock.lastCall ?? [];
  const settingsOf = (phc: unknown) => String(phc).split('$').slice(0, 4);
  expect(settingsOf(compared)).toEqual(settingsOf(work));
});

test('hashes one password per core plus one concurrently', async () => {
  const passwords = createPasswords();
  const crowd = 3 * availableParallelism() + 5;
  const hash = await passwords.hash('secret');
  await Promise.all([
    ...Array.from({ length: crowd }, () => passwords.hash('secret')),
    ...Array.from({ length: crowd }, () => passwords.verify(hash, 'secret')),
  ]);
  expect(load.max).toBe(availableParallelism() + 1);
});

test('counts running and queued hashes', async () => {
  const passwords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const before = passwords.depth();
  const hashes = [1, 2, 3, 4, 5].map(() => passwords.hash('secret'));
  expect(passwords.depth()).toBe(before + 5);
  await Promise.all(hashes);
  await vi.waitUntil(() => passwords.depth() === 0);
});
