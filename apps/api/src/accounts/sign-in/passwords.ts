import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane; argon2id is the library's own default. */
const recommendedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** `memoryCost` in KiB. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

export interface Passwords {
  /** An argon2id string in PHC format, with its salt and settings. */
  hash(password: string): Promise<string>;
  /** False for null too, in the same time: nobody learns from it whether an account exists. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

/**
 * Hashes in libuv's threads, at most one a core at a time and one that is ready when another is
 * done, while this thread waits for the disk: of the four threads one is left for everybody
 * else's requests. The others wait in line.
 */
export function createPasswords(cost: PasswordCost = recommendedCost): Passwords {
  const limit = pLimit(availableParallelism() + 1);
  const dummyHash = limit(() => hash('nobody has this password', cost));
  return {
    hash: (password) => limit(() => hash(password, cost)),
    async verify(stored, password) {
      const compared = stored ?? (await dummyHash);
      const matches = await limit(() => verify(compared, password));
      return matches && stored !== null;
    },
  };
}
