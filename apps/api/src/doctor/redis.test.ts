import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { freePort } from '@app/db/testing/free-port';
import { describe, expect, test } from 'vitest';
import { certificates } from '../testing/certificates.ts';
import { envOf } from '../testing/deployment.ts';
import { type RedisServer, startRedisServer, whyNoRedis } from '../testing/redis-server.ts';
import { MovingClock } from '../testing/test-app.ts';
import { redis } from './checks/redis.ts';
import { foldersOf } from './folders.ts';
import { createNetwork } from './network.ts';
import { runChecks } from './run-checks.ts';

async function check(environment: Record<string, string>): Promise<string[]> {
  const context = {
    ...foldersOf({ DATA_DIR: '/nowhere' }),
    clock: new MovingClock(),
    network: createNetwork(),
  };
  // Long, because a busy machine can stall.
  const found = await runChecks([{ ...redis, seconds: 90 }], context, envOf(environment));
  return found.map(({ state, finding, fix }) => `${state}: ${finding} ${fix ?? ''}`);
}

const checkOf = ({ settings }: Pick<RedisServer, 'settings'>) => check({ REDIS_URL: settings.url });

test('is skipped without REDIS_URL', async () => {
  expect(await check({})).toEqual([
    'skipped: REDIS_URL is not set: rate limits are in the database. ',
  ]);
});

test('fails if Redis is not running, without revealing its password', async () => {
  const [finding] = await check({ REDIS_URL: `redis://:secret@localhost:${await freePort()}` });
  expect(finding).toMatch(/^failure: Redis cannot be used \(.*ECONNREFUSED.*\)\. Start Redis/);
  expect(finding).not.toContain('secret');
});

test('says how to trust the certificate of a private CA', async () => {
  const server = createServer(certificates.valid).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [finding] = await check({ REDIS_URL: `rediss://127.0.0.1:${port}` });
  server.close();
  expect(finding).toMatch(/^failure: .*certificate.*NODE_EXTRA_CA_CERTS/);
});

/** Includes the warning, because replies are slow on a busy machine. */
const works = expect.stringMatching(
  /^ok: Redis \d+\.\d+\.\d+ answers in [\d.]+ ms, and accepts writes\.|^warning: Redis takes/,
);

describe.skipIf(whyNoRedis)('with a Redis server', () => {
  test('accepts a server that works', async () => {
    await using server = await startRedisServer();
    expect(await checkOf(server)).toEqual([works]);
  });

  test('fails if the password or the database number is wrong', async () => {
    await using server = await startRedisServer('--requirepass', 'secret');
    const [none] = await checkOf(server);
    expect(none).toMatch(/^failure: .*NOAUTH.* Set the user and the password of REDIS_URL/);
    const [wrong] = await check({ REDIS_URL: server.urlOf(':mistyped') });
    expect(wrong).toMatch(/^failure: .*WRONGPASS/);
    expect(wrong).not.toContain('mistyped');
    const [database] = await check({ REDIS_URL: server.urlOf(':secret', '/99') });
    expect(database).toMatch(/^failure: .*DB index is out of range.* database number of REDIS_URL/);
  });

  test('fails if the user lacks permissions, and says how to grant them', async () => {
    await using server = await startRedisServer();
    await server.command('ACL', 'SETUSER', 'site', 'on', '>secret', '~other:*', '+@all');
    const asSite = { PUBLIC_URL: 'http://localhost:4321', REDIS_URL: server.urlOf('site:secret') };
    const [refused] = await check(asSite);
    expect(refused).toMatch(/^failure: .* permissions? .* `ACL SETUSER <user> ~localhost:4321:\*/i);
    const rules = ['resetkeys', '-@all', '~localhost:4321:*', '+@all', '-@admin', '-@dangerous'];
    await server.command('ACL', 'SETUSER', 'site', ...rules, '+info');
    expect(await check(asSite)).toEqual([works]);
  });

  test('warns if Redis deletes keys when its memory is full', async () => {
    await using server = await startRedisServer(
      ...['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
    );
    expect(await checkOf(server)).toContainEqual(
      expect.stringMatching(
        /^warning: .*maxmemory-policy allkeys-lru.* Set `maxmemory-policy noev/,
      ),
    );
  });

  test('warns if the memory is nearly full, and fails if it is full', async () => {
    await using server = await startRedisServer();
    const used = Number(/used_memory:(\d+)/.exec(String(await server.command('INFO')))?.[1]);
    await server.command('CONFIG', 'SET', 'maxmemory', String(Math.round(used * 1.05)));
    expect(await checkOf(server)).toContainEqual(
      expect.stringMatching(/^(?:warning|failure): .*(?:maxmemory|OOM)/),
    );
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    expect((await checkOf(server))[0]).toMatch(/^failure: .*\(OOM.* Raise maxmemory/);
  });

  test('fails if the server is a replica', async () => {
    await using server = await startRedisServer();
    await server.command('REPLICAOF', '127.0.0.1', String(await freePort()));
    expect((await checkOf(server))[0]).toMatch(
      /^failure: .*READONLY.* Set REDIS_URL to the primary/,
    );
  });
});
