import type { Env } from '../env.ts';
import type { Health } from '../server/health/health.ts';
import type { Redis } from '../server/redis/redis.ts';

/** Loads the client only with REDIS_URL: it takes 20 MB of memory. Does not wait for a connection. */
export async function connectRedis(
  { redis }: Pick<Env, 'redis'>,
  health: Health,
): Promise<Redis | undefined> {
  if (!redis) return undefined;
  const { createRedis } = await import('../server/redis/redis.ts');
  return createRedis({ redis, health });
}
