import { createClient } from '@redis/client';
import type { RedisSettings } from './settings.ts';

/** In milliseconds: for a connection, and for its first reply. */
export const connectTimeout = 2_000;

/** Some servers close connections that are idle. */
const pingInterval = 30_000;

/** Checks that writes work: a replica or a server with full memory only accepts connections. */
const probeScript = `return {redis.call('SET', KEYS[1], '1', 'PX', '1000')}`;

/** Does not reconnect or queue commands, because `createRedis` handles failures. */
export const openClient = ({ url, keyPrefix }: RedisSettings) =>
  createClient({
    url,
    keyPrefix,
    pingInterval,
    disableOfflineQueue: true,
    socket: { connectTimeout, reconnectStrategy: false },
  });

export type RedisClient = ReturnType<typeof openClient>;

export const probe = (client: RedisClient): Promise<unknown> =>
  client.eval(probeScript, { keys: ['probe'] });

/** An error that covers several addresses has a code, but no message. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || ((error as NodeJS.ErrnoException).code ?? error.name)
    : String(error);
