import { freePort } from '@app/db/testing/free-port';
import { describe, expect, test } from 'vitest';
import { type RedisServer, startRedisServer, whyNoRedis } from '../../testing/redis-server.ts';
import { until } from '../../testing/until.ts';
import { createRedis } from './redis.ts';
import type { RedisSettings } from './settings.ts';

const echo = 'return {ARGV[1]}';
const write = `return {redis.call('SET', KEYS[1], ARGV[1])}`;

/** Uses the settings of production, and records what is reported. */
function connect({ settings }: { settings: RedisSettings }) {
  const reported: (string | null)[] = [];
  const health = {
    report(_source: string, _text: string, reason: string) {
      if (reported.at(-1) !== reason) reported.push(reason);
    },
    clear() {
      reported.push(null);
    },
  };
  const redis = createRedis({ redis: settings, health });
  return Object.assign(redis, { reported, [Symbol.dispose]: redis.stop });
}

const withUser = ({ settings, urlOf }: RedisServer, userInfo: string, database?: string) => ({
  settings: { ...settings, url: urlOf(userInfo, database) },
});

test('does not wait for a server that does not exist', async () => {
  const url = `redis://localhost:${await freePort()}`;
  using redis = connect({ settings: { url, keyPrefix: '' } });
  expect(await redis.run(echo, [], ['a'])).toBeNull();
  await until(() => redis.reported.length > 0);
  expect(redis.reported).toEqual([expect.stringContaining('ECONNREFUSED')]);
  expect(await redis.run(echo, [], ['a'])).toBeNull();
});

describe.skipIf(whyNoRedis)('Redis', () => {
  test('prefixes the keys of scripts', async () => {
    await using server = await startRedisServer();
    using redis = connect(server);
    // On a busy machine, a reply can exceed its time limit.
    await until(async () => (await redis.run(write, ['a\r\nb'], ['ä\0'])) !== null);
    expect(await server.command('GET', 'localhost:4321:a\r\nb')).toBe('ä\0');
  });

  test('is not waited for while it hangs, and is used again when it answers', async () => {
    await using server = await startRedisServer();
    using redis = connect(server);
    await until(redis.isUsable);
    server.pause();
    try {
      const replies = Array.from({ length: 50 }, () => redis.run(echo, [], ['a']));
      expect(new Set(await Promise.all(replies))).toEqual(new Set([null]));
      expect(redis.isUsable()).toBe(false);
      expect(await redis.run(echo, [], ['a'])).toBeNull();
      // New connections hang, too.
      await until(() => redis.reported.at(-1) === 'No reply within 2000 ms.');
    } finally {
      server.resume();
    }
    await until(async () => (await redis.run(echo, [], ['a']))?.[0] === 'a');
  });

  test('is used again after a restart', async () => {
    await using server = await startRedisServer();
    using redis = connect(server);
    for (let n = 0; n < 3; n += 1) {
      await until(async () => (await redis.run(echo, [], ['a']))?.[0] === 'a');
      await server.kill();
      await until(() => !redis.isUsable());
      expect(await redis.run(echo, [], ['a'])).toBeNull();
      await server.start();
    }
  });

  test('is not used if it rejects the password', async () => {
    await using server = await startRedisServer('--requirepass', 'p@ss:word/1');
    using redis = connect(withUser(server, ':secret'));
    using without = connect(server);
    using right = connect(withUser(server, 'default:p%40ss%3Aword%2F1', '/3'));
    await until(() => right.isUsable() && redis.reported.length > 0 && without.reported.length > 0);
    expect(redis.reported[0]).toMatch(/^WRONGPASS/);
    expect(without.reported[0]).toMatch(/^NOAUTH/);
    expect([redis.isUsable(), without.isUsable()]).toEqual([false, false]);
    expect(JSON.stringify(redis.reported)).not.toContain('secret');
  });

  test('is not used while its memory is full', async () => {
    await using server = await startRedisServer('--maxmemory-policy', 'noeviction');
    using redis = connect(server);
    await until(redis.isUsable);
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    await until(async () => (await redis.run(write, ['a'], ['b'])) === null);
    await until(() => redis.reported.some((reason) => reason?.startsWith('OOM')));
    expect(redis.isUsable()).toBe(false);
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    await until(async () => (await redis.run(write, ['a'], ['b'])) !== null);
  });

  test('is not used for a while after it has refused a script', async () => {
    await using server = await startRedisServer();
    using redis = connect(server);
    await until(redis.isUsable);
    expect(await redis.run('return redis.call("NONE")', [])).toBeNull();
    expect(redis.isUsable()).toBe(false);
    await until(redis.isUsable);
  });

  test('gets no new connection after a stop', async () => {
    await using server = await startRedisServer();
    using redis = connect(server);
    await until(redis.isUsable);
    redis.stop();
    expect(await redis.run(echo, [], ['a'])).toBeNull();
    using starting = connect(server);
    starting.stop();
    expect([redis.isUsable(), starting.isUsable()]).toEqual([false, false]);
    expect(starting.reported).toEqual([]);
  });
});
