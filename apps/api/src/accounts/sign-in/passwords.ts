import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Options } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { timed } from '../../server/request-time.ts';
import { isSameSecret } from '../../tokens.ts';
import { createAdmission } from './admission.ts';

/** Loaded with the first password, because the server can start without it. */
const loadArgon2 = () => import('@node-rs/argon2');

/** OWASP Password Storage Cheat Sheet, for argon2id, the library's default. Memory is in KiB. */
const recommendedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type PasswordCost = typeof recommendedCost;

/** RFC 9106 §3.1 */
const saltBytes = 16;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Hashes in libuv's thread pool: one per core, plus one that starts as soon as another ends. On two
 * cores, that leaves one of the four threads for file access.
 */
export function createPasswords(saltSecret: string, cost: PasswordCost = recommendedCost) {
  const limit = pLimit(availableParallelism() + 1);
  let dummyHash: Promise<string> | undefined;

  const hashNow = (password: string, options: Options = cost): Promise<string> =>
    limit(async () => (await loadArgon2()).hash(password, options));

  const saltOf = ({
    email,
    passwordHash,
  }: {
    email: string;
    passwordHash: string | null;
  }): Buffer =>
    passwordHash === null
      ? createHmac('sha256', saltSecret).update(email).digest().subarray(0, saltBytes)
      : optionsOf(passwordHash).salt;

  return {
    /** The number of hashes that are running or queued. */
    depth: (): number => limit.activeCount + limit.pendingCount,

    /** Limits the queue. Called before a request is counted or changes anything. */
    admit: createAdmission({ max: 50, maxPerKey: 10 }),

    /**
     * @param owner the address of a sign-up, and the hash of its account. Determines the salt, so that
     * `verify` can compare a password with those of the account and all sign-ups at once
     * @returns an argon2id string in PHC format
     */
    hash(
      password: string,
      owner?: { email: string; passwordHash: string | null },
    ): Promise<string> {
      const salt = owner && saltOf(owner);
      return timed('hashing', () => hashNow(password, { ...cost, ...(salt && { salt }) }));
    },

    /**
     * Hashes once, with the salt of the first hash: others are found only if they have the same one.
     * @param stored empty if there is no account. Then it takes the same time, so that the reply does
     * not reveal whether an account exists
     * @returns the hash of the password, or null
     */
    async verify(stored: readonly string[], password: string): Promise<string | null> {
      dummyHash ??= hashNow('no account has this password');
      // Awaited even if there is an account, so that the first reply takes as long.
      const dummy = await dummyHash;
      const options = optionsOf(stored[0] ?? dummy);
      const hash = await timed('hashing', () => hashNow(password, options));
      return stored.find((one) => isSameSecret(one, hash)) ?? null;
    },
  };
}

/** Cost and salt of an argon2id string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
function optionsOf(stored: string) {
  const [, , , costs = '', salt = ''] = stored.split('$');
  const [memoryCost, timeCost, parallelism] = costs.split(',').map((part) => Number(part.slice(2)));
  if (!memoryCost || !timeCost || !parallelism) throw new Error('unknown format of a password');
  return { memoryCost, timeCost, parallelism, salt: Buffer.from(salt, 'base64') };
}
