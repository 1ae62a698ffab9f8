import type { Clock } from '../../clock.ts';
import type { Redis } from '../../server/redis/redis.ts';
import { createMemoryPresence } from './memory-presence.ts';
import { lifetime, maxPeople, type Presence } from './presence.ts';

/**
 * The hash of a post stores for each user the time when the visit ends, by the clock of Redis, and
 * the name as JSON. KEYS: the post. ARGV: the user, name, lifetime and maximum number of people.
 */
const stayScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local entries, others = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #entries, 2 do
  local ending, name = string.match(entries[i + 1], '^(%d+) (.*)$')
  if entries[i] == ARGV[1] or tonumber(ending) <= now then
    redis.call('HDEL', KEYS[1], entries[i])
  else
    others[#others + 1] = name
  end
end
if #others < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %s', now + ARGV[3], ARGV[2]))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return others`;

const leaveScript = `return {redis.call('HDEL', KEYS[1], ARGV[1])}`;

const keyOf = (postId: string): string => `presence:${postId}`;

interface Parts {
  redis: Redis;
  clock: Pick<Clock, 'monotonic'>;
}

/** Shared by all servers. Falls back to this server's memory while Redis is unavailable. */
export function createRedisPresence({ redis, clock }: Parts): Presence {
  const memory = createMemoryPresence({ clock });

  return {
    async stay(postId, userId, name) {
      const values = [userId, JSON.stringify(name), lifetime, maxPeople];
      const others = await redis.run(stayScript, [keyOf(postId)], values);
      if (others === null) return memory.stay(postId, userId, name);
      return others.map((json) => JSON.parse(json as string) as string | null);
    },

    async leave(postId, userId) {
      await memory.leave(postId, userId);
      await redis.run(leaveScript, [keyOf(postId)], [userId]);
    },
  };
}
