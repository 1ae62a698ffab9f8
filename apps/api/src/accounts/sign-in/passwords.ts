import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { timed } from '../../server/request-time.ts';

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
  const dummyHash = limit(() => hash('no account has this password', cost));
  return {
    /** Hashes that run or wait. */
    depth: (): number => limit.activeCount + limit.pendingCount,

    /** An argon2id string in PHC format. */
    hash: (password: string): Promise<string> =>
      timed('hashing', () => limit(() => hash(password, cost))),

    /** False for null, in the same time: the reply must not reveal whether an account exists. */
    async verify(stored: string | null, password: string): Promise<boolean> {
      const compared = stored ?? (await dummyHash);
      const matches = await timed('hashing', () => limit(() => verify(compared, password)));
      return matches && stored !== null;
    },
  };
}
