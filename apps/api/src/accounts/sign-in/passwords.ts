import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { timed } from '../../server/request-time.ts';
import { createAdmission } from './admission.ts';

/** Loaded with the first password, because the server can start without it. */
const loadArgon2 = () => import('@node-rs/argon2');

/** OWASP Password Storage Cheat Sheet, for argon2id, the library's default. Memory is in KiB. */
const recommendedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type PasswordCost = typeof recommendedCost;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Hashes in libuv's thread pool: one per core, plus one that starts as soon as another ends. On two
 * cores, that leaves one of the four threads for file access.
 */
export function createPasswords(cost: PasswordCost = recommendedCost) {
  const limit = pLimit(availableParallelism() + 1);
  let dummyHash: Promise<string> | undefined;

  const hashNow = (password: string): Promise<string> =>
    limit(async () => (await loadArgon2()).hash(password, cost));

  return {
    /** The number of hashes that are running or queued. */
    depth: (): number => limit.activeCount + limit.pendingCount,

    /** Limits the queue. Called before a request is counted or changes anything. */
    admit: createAdmission({ max: 50, maxPerKey: 10 }),

    /** @returns an argon2id string in PHC format */
    hash: (password: string): Promise<string> => timed('hashing', () => hashNow(password)),

    /**
     * @param stored null if there is no account. Then it returns false after the same time, so that
     * the reply does not reveal whether an account exists.
     */
    async verify(stored: string | null, password: string): Promise<boolean> {
      dummyHash ??= hashNow('no account has this password');
      // Awaited even if there is an account, so that the first reply takes as long.
      const dummy = await dummyHash;
      const compared = stored ?? dummy;
      const matches = await timed('hashing', () =>
        limit(async () => (await loadArgon2()).verify(compared, password)),
      );
      return matches && stored !== null;
    },
  };
}
