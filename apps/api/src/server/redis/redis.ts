import { afterReading } from '../after-reading.ts';
import { connectTimeout, openClient, probe, type RedisClient, reasonOf } from './client.ts';
import type { RedisSettings } from './settings.ts';

/** How long a request waits for a reply, in milliseconds. */
const replyTimeout = 100;
const retryMilliseconds = 1_000;

const problem =
  'Redis cannot be used: rate limits are stricter, and each server counts for itself.';

export type Redis = ReturnType<typeof createRedis>;

interface Parts {
  redis: RedisSettings;
  health: {
    report(source: string, text: string, reason: string): void;
    clear(source: string): void;
  };
  /** For tests on a busy machine. */
  timeout?: number;
}

/**
 * Connects to Redis in the background. After an error or a slow reply, nothing is sent until a new
 * connection works, so that no other request waits.
 */
export function createRedis({ redis: settings, health, timeout = replyTimeout }: Parts) {
  let connecting: RedisClient | undefined;
  /** Undefined while Redis cannot be used. */
  let usable: RedisClient | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const client = openClient(settings);
    connecting = client;
    client.on('error', (error: unknown) => fail(client, error));
    try {
      await within(connectTimeout, client.connect());
      await within(connectTimeout, probe(client));
    } catch (error) {
      fail(client, error);
      return;
    }
    if (connecting !== client) return;
    connecting = undefined;
    usable = client;
    health.clear('redis');
  }

  /** Does nothing for a client that has failed before, or was stopped. */
  function fail(client: RedisClient, error: unknown): void {
    if (client !== connecting && client !== usable) return;
    close();
    health.report('redis', problem, reasonOf(error));
    timer = setTimeout(connect, retryMilliseconds).unref();
  }

  function close(): void {
    const client = connecting ?? usable;
    connecting = undefined;
    usable = undefined;
    client?.destroy();
  }

  void connect();
  return {
    isUsable: (): boolean => usable !== undefined,

    /**
     * Runs a Lua script atomically.
     * @returns its list, or null while Redis cannot be used
     */
    async run(
      script: string,
      keys: readonly string[],
      values: readonly (string | number)[] = [],
    ): Promise<readonly unknown[] | null> {
      const client = usable;
      if (!client) return null;
      try {
        const reply = client.eval(script, { keys: [...keys], arguments: values.map(String) });
        return (await within(timeout, reply)) as unknown as unknown[];
      } catch (error) {
        fail(client, error);
        return null;
      }
    },

    stop(): void {
      clearTimeout(timer);
      close();
    },
  };
}

/** @throws if it takes longer. A reply that arrived while this process was busy is in time. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const expire = () => reject(new Error(`No reply within ${milliseconds} ms.`));
  const timer = setTimeout(afterReading(expire), milliseconds);
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
