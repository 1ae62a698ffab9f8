import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** OWASP Password Storage Cheat Sheet. The library uses argon2id. */
const recommendedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** `memoryCost` in KiB. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

export interface Passwords {
  /** An argon2id string in PHC format. */
  hash(password: string): Promise<string>;
  /** False for null, in the same time: the reply must not reveal whether an account exists. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

/**
 * Hashes in libuv's thread pool, one per core plus one that is ready when another ends. That leaves
 * a thread of the four for file access.
 */
export function createPasswords(cost: PasswordCost = recommendedCost): Passwords {
  const limit = pLimit(availableParallelism() + 1);
  const dummyHash = limit(() => hash('no account has this password', cost));
  return {
    hash: (password) => limit(() => hash(password, cost)),
    async verify(stored, password) {
      const compared = stored ?? (await dummyHash);
      const matches = await limit(() => verify(compared, password));
      return matches && stored !== null;
    },
  };
}
