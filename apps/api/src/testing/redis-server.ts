import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openClient } from '../server/redis/client.ts';
import { createRedis, type Redis } from '../server/redis/redis.ts';
import type { RedisSettings } from '../server/redis/settings.ts';
import { until } from './until.ts';

/** Why Redis cannot be started; undefined if it can. */
export const whyNoRedis = spawnSync('redis-server', ['--version']).error
  ? 'redis-server is not installed (Debian: apt-get install redis-server)'
  : undefined;

if (whyNoRedis) process.stdout.write(`Tests with Redis are skipped: ${whyNoRedis}\n`);

export const keyPrefix = 'localhost:4321:';

/** A busy machine stalls for up to a minute. */
const longTimeout = 90_000;

/**
 * Redis without persistence. It listens on a Unix socket, behind a proxy that keeps its port, so
 * that the URL is the same after a restart.
 * @param options of redis-server, such as `--requirepass secret`
 */
export async function startRedisServer(...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const path = join(folder, 'socket');
  const connections = new Set<Socket>();
  let child: ChildProcess;
  let ended: Promise<unknown>;

  async function start(): Promise<void> {
    const own = ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', ''];
    child = spawn('redis-server', [...own, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    ended = once(child, 'close');
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    for await (const line of lines) if (/ready to accept connections/i.test(line)) break;
    child.stdout?.resume();
  }
  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  const proxy = createServer((socket) => {
    const upstream = connect(path);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      connections.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        connections.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  await start();

  const { port } = proxy.address() as AddressInfo;
  const settings: RedisSettings = { url: `redis://127.0.0.1:${port}`, keyPrefix };
  return {
    settings,
    /** Its URL with a user, a password or a database. */
    urlOf: (userInfo: string, database = ''): string =>
      `redis://${userInfo}@127.0.0.1:${port}${database}`,
    start,
    kill,
    /** While paused, it accepts connections, but does not answer. */
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    /** Runs an administrator's command. @returns its reply */
    async command(...words: string[]): Promise<unknown> {
      const client = openClient({ ...settings, keyPrefix: '' });
      await client.connect();
      try {
        return await client.sendCommand(words);
      } finally {
        client.destroy();
      }
    },
    async [Symbol.asyncDispose]() {
      await kill();
      for (const socket of connections) socket.destroy();
      proxy.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>;

const noHealth = { report: () => undefined, clear: () => undefined };

/** A connected client without the short time limit of requests. */
export async function connectedRedis({ settings }: Pick<RedisServer, 'settings'>) {
  const redis = createRedis({ redis: settings, health: noHealth, timeout: longTimeout });
  await until(redis.isUsable);
  return Object.assign(redis, { [Symbol.dispose]: redis.stop });
}

/** Behaves as if Redis could not be used. */
export const unusableRedis: Redis = {
  isUsable: () => false,
  run: async () => null,
  stop: () => undefined,
};
