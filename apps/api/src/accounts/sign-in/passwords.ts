import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { timed } from '../../server/request-time.ts';
import { createAdmission } from './admission.ts';

/** With the first password: a start needs neither the library nor a hash. */
const loadArgon2 = () => import('@node-rs/argon2');

/** OWASP Password Storage Cheat Sheet. The library uses argon2id; memory is in KiB. */
const recommendedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type PasswordCost = typeof recommendedCost;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Hashes in libuv's thread pool, one per core plus one that is ready when another ends. That leaves
 * a thread of the four for file access.
 */
export function createPasswords(cost: PasswordCost = recommendedCost) {
  const limit = pLimit(availableParallelism() + 1);
  let dummyHash: Promise<string> | undefined;

  const hashNow = (password: string): Promise<string> =>
    limit(async () => (await loadArgon2()).hash(password, cost));

  return {
    /** Hashes that run or wait. */
    depth: (): number => limit.activeCount + limit.pendingCount,

    /** Bounds the queue. Asked before a request counts or changes anything. */
    admit: createAdmission({ max: 50, maxPerKey: 10 }),

    /** An argon2id string in PHC format. */
    hash: (password: string): Promise<string> => timed('hashing', () => hashNow(password)),

    /** False for null, in the same time: the reply must not reveal whether an account exists. */
    async verify(stored: string | null, password: string): Promise<boolean> {
      dummyHash ??= hashNow('no account has this password');
      // With an account as well, so that the first reply takes as long.
      const dummy = await dummyHash;
      const compared = stored ?? dummy;
      const matches = await timed('hashing', () =>
        limit(async () => (await loadArgon2()).verify(compared, password)),
      );
      return matches && stored !== null;
    },
  };
}
