import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { afterEach, expect, test, vi } from 'vitest';
import { createPasswords } from './passwords.ts';

const secret = 'a secret for salts';

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
  return { ...real, hash: vi.fn(counted(real.hash)) };
});

afterEach(() => {
  load.max = 0;
  vi.clearAllMocks();
});

test('hashes with argon2id: 19 MiB, two passes, one lane, a random salt', async () => {
  const passwords = createPasswords(secret);
  const [one, two] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22,}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
});

test('matches only the right password', async () => {
  const passwords = createPasswords(secret);
  const hash = await passwords.hash('secret');
  expect(await passwords.verify([hash], 'secret')).toBe(hash);
  expect(await passwords.verify([hash], 'Secret')).toBeNull();
  expect(await passwords.verify([hash], '')).toBeNull();
  expect(await argon2.verify(hash, 'secret')).toBe(true);
});

test('finds which of several passwords matches, with one hash', async () => {
  const passwords = createPasswords(secret);
  const email = 'ann@example.com';
  const own = await passwords.hash('own');
  // The first one also hashes the password that no account has.
  await passwords.verify([], 'own');
  const ofAccount = { email, passwordHash: own };
  const ofAddress = { email, passwordHash: null };
  for (const [owner, stored] of [
    [ofAccount, [own]],
    [ofAddress, []],
  ] as const) {
    const one = await passwords.hash('one', owner);
    const two = await passwords.hash('two', owner);
    expect(await passwords.hash('one', owner)).toBe(one);
    vi.mocked(argon2.hash).mockClear();
    expect(await passwords.verify([...stored, one, two], 'two')).toBe(two);
    expect(argon2.hash).toHaveBeenCalledOnce();
  }
  const ofAnother = { email: 'bob@example.com', passwordHash: null };
  expect(await passwords.hash('one', ofAnother)).not.toBe(await passwords.hash('one', ofAddress));
});

test('does the same work without an account', async () => {
  const passwords = createPasswords(secret);
  const hash = await passwords.hash('secret');
  const workOf = async (stored: readonly string[]) => {
    vi.mocked(argon2.hash).mockClear();
    expect(await passwords.verify(stored, 'wrong')).toBeNull();
    return vi.mocked(argon2.hash).mock.calls.map(([text, options]) => {
      const { salt, ...cost } = options ?? {};
      return { text, cost, saltBytes: salt?.length };
    });
  };
  // Also hashes the password that no account has.
  await workOf([]);
  const work = await workOf([hash]);
  expect(work).toHaveLength(1);
  expect(await workOf([])).toEqual(work);
});

test('hashes one password per core plus one concurrently', async () => {
  const passwords = createPasswords(secret);
  const crowd = 3 * availableParallelism() + 5;
  const hash = await passwords.hash('secret');
  await Promise.all([
    ...Array.from({ length: crowd }, () => passwords.hash('secret')),
    ...Array.from({ length: crowd }, () => passwords.verify([hash], 'secret')),
  ]);
  expect(load.max).toBe(availableParallelism() + 1);
});

test('counts running and queued hashes', async () => {
  const passwords = createPasswords(secret, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  const before = passwords.depth();
  const hashes = [1, 2, 3, 4, 5].map(() => passwords.hash('secret'));
  expect(passwords.depth()).toBe(before + 5);
  await Promise.all(hashes);
  await vi.waitUntil(() => passwords.depth() === 0);
});
