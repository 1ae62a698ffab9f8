import type { Clock } from '../../clock.ts';
import type { Redis } from '../redis/redis.ts';
import { createMemoryLimits } from './memory-limits.ts';
import {
  type Counter,
  keyOf,
  type RateLimit,
  type RateLimits,
  type Step,
  type Taken,
  type TakenSteps,
} from './rate-limits.ts';

/**
 * `takeSteps` of `rate-limits.ts`, with the clock of Redis. KEYS: counters. ARGV: for each counter,
 * its maximum, its window in milliseconds, and the number of its step, from 1. Returns 0 and the
 * last count, or the number of the step that refused and the milliseconds left.
 */
const takeScript = `
local first, count = 1, 0
while KEYS[first] do
  local step, last = ARGV[3 * first], first
  while KEYS[last + 1] and ARGV[3 * last + 3] == step do last = last + 1 end
  for i = first, last do
    local left = redis.call('PTTL', KEYS[i])
    if left <= 0 or left > tonumber(ARGV[3 * i - 1]) then
      redis.call('DEL', KEYS[i])
    elseif tonumber(redis.call('GET', KEYS[i])) >= tonumber(ARGV[3 * i - 2]) then
      return {tonumber(step), left}
    end
  end
  for i = first, last do
    count = redis.call('INCR', KEYS[i])
    if count == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[3 * i - 1]) end
  end
  first = last + 1
end
return {0, count}`;

/** DECR keeps the end of the window. */
const untakeScript = `
if redis.call('PTTL', KEYS[1]) > 0 then redis.call('DECR', KEYS[1]) end
return {}`;

const forgetScript = `return {redis.call('DEL', KEYS[1])}`;

const redisKeyOf = (counter: Counter): string => `limit:${keyOf(counter)}`;

interface Parts {
  redis: Redis;
  clock: Pick<Clock, 'monotonic'>;
}

/** Counts in Redis. While it cannot be used, each server counts in memory, with stricter limits. */
export function createRedisLimits({ redis, clock }: Parts): RateLimits {
  const memory = createMemoryLimits({ clock });

  /** Null while Redis cannot be used. */
  async function takeShared(steps: readonly Step[]): Promise<TakenSteps | null> {
    const counters = steps.flatMap((step, index) =>
      step.map((counter) => ({ counter, step: index + 1 })),
    );
    const reply = await redis.run(
      takeScript,
      counters.map(({ counter }) => redisKeyOf(counter)),
      counters.flatMap(({ counter: [{ max, milliseconds }], step }) => [max, milliseconds, step]),
    );
    return reply && toTaken(reply as readonly [number, number]);
  }
  const takeEach = async (steps: readonly Step[]): Promise<TakenSteps> =>
    (await takeShared(steps)) ?? memory.takeSteps(steps);
  const take = (limit: RateLimit, key: string): Promise<Taken> => takeEach([[[limit, key]]]);

  return {
    take,
    takeForRead: take,
    takeSteps: takeEach,

    async takeInTransaction(limit, key, transact) {
      const counter = [limit, key] as const;
      const shared = await takeShared([[counter]]);
      const taken = shared ?? memory.takeSteps([[counter]]);
      let isUsed = false;
      let isCounted = false;
      try {
        const result = await transact(() => {
          isUsed = true;
          return taken;
        });
        isCounted = isUsed;
        return result;
      } finally {
        if (taken.allowed && !isCounted) {
          if (shared) await redis.run(untakeScript, [redisKeyOf(counter)]);
          else memory.untake(counter);
        }
      }
    },

    async forget(limit, key) {
      memory.forget([limit, key]);
      await redis.run(forgetScript, [redisKeyOf([limit, key])]);
    },
  };
}

function toTaken([step, value]: readonly [number, number]): TakenSteps {
  if (step === 0) return { allowed: true, count: value };
  return { allowed: false, retryAfterSeconds: Math.ceil(value / 1_000), step: step - 1 };
}
