import { describe, expect, test } from 'vitest';
import {
  connectedRedis,
  startRedisServer,
  unusableRedis,
  whyNoRedis,
} from '../../testing/redis-server.ts';
import { MovingClock } from '../../testing/test-app.ts';
import { createMemoryPresence } from './memory-presence.ts';
import type { Presence } from './presence.ts';
import { createRedisPresence } from './redis-presence.ts';

interface Subject extends AsyncDisposable {
  presence: Presence;
  /** Lets enough time pass for all visits to expire. */
  pass(): Promise<void>;
}

const inMemory = (create: (clock: MovingClock) => Presence) => async (): Promise<Subject> => {
  const clock = new MovingClock();
  return {
    presence: create(clock),
    pass: async () => clock.move(31_000),
    [Symbol.asyncDispose]: async () => undefined,
  };
};

async function inRedis(): Promise<Subject> {
  const server = await startRedisServer();
  const redis = await connectedRedis(server);
  const key = 'localhost:4321:presence:post';
  return {
    presence: createRedisPresence({ redis, clock: new MovingClock() }),
    async pass() {
      const visits = (await server.command('HGETALL', key)) as Record<string, string>;
      for (const [user, visit] of Object.entries(visits)) {
        await server.command('HSET', key, user, visit.replace(/^\d+/, '1'));
      }
    },
    async [Symbol.asyncDispose]() {
      redis.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe.for<[name: string, reason: string | undefined, make: () => Promise<Subject>]>([
  ['in memory', undefined, inMemory((clock) => createMemoryPresence({ clock }))],
  [
    'without Redis',
    undefined,
    inMemory((clock) => createRedisPresence({ redis: unusableRedis, clock })),
  ],
  ['in Redis', whyNoRedis, inRedis],
])('presence %s', ([, reason, make]) => {
  test.skipIf(reason)('lists the others until they leave or their presence expires', async () => {
    await using subject = await make();
    const { presence } = subject;
    const name = 'Zoë "Z" %d\n{}';
    expect(await presence.stay('post', 'ann', null)).toEqual([]);
    expect(await presence.stay('post', 'bob', name)).toEqual([null]);
    expect(await presence.stay('post', 'ann', null)).toEqual([name]);
    expect(await presence.stay('other', 'cid', '')).toEqual([]);
    await presence.leave('post', 'bob');
    expect(await presence.stay('post', 'ann', null)).toEqual([]);
    await presence.stay('post', 'bob', name);
    await subject.pass();
    expect(await presence.stay('post', 'ann', null)).toEqual([]);
  });

  test.skipIf(reason)('remembers at most 20 people per post', async () => {
    await using subject = await make();
    const { presence } = subject;
    for (let n = 0; n < 25; n += 1) {
      const others = await presence.stay('post', `user-${n}`, `User ${n}`);
      expect(others).toHaveLength(Math.min(n, 20));
    }
    await presence.leave('post', 'user-3');
    expect(await presence.stay('post', 'late', null)).toHaveLength(19);
    expect(await presence.stay('post', 'later', null)).toHaveLength(20);
  });
});

test.skipIf(whyNoRedis)('all servers share the presence in Redis, which expires', async () => {
  await using server = await startRedisServer();
  using redis = await connectedRedis(server);
  using other = await connectedRedis(server);
  const clock = new MovingClock();
  await createRedisPresence({ redis, clock }).stay('post', 'ann', 'Ann');
  expect(await createRedisPresence({ redis: other, clock }).stay('post', 'bob', 'Bob')).toEqual([
    'Ann',
  ]);
  const left = Number(await server.command('PTTL', 'localhost:4321:presence:post'));
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(30_000);
});
