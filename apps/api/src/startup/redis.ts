import type { Env } from '../env.ts';
import type { Health } from '../server/health/health.ts';
import type { Redis } from '../server/redis/redis.ts';

/** Loads the client, which takes 20 MB of memory, only with REDIS_URL. Does not wait to connect. */
export async function connectRedis(
  { redis }: Pick<Env, 'redis'>,
  health: Health,
): Promise<Redis | undefined> {
  if (!redis) return undefined;
  const { createRedis } = await import('../server/redis/redis.ts');
  return createRedis({ redis, health });
}
