import { startRedisServer, whyNoRedis } from '@app/api/src/testing/redis-server.ts';
import type { HealthReply } from '@app/contract/health';
import { expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

test.skipIf(whyNoRedis)(
  'a server starts without Redis, uses it once it is there, loses it, and stops',
  async () => {
    using folder = temporaryFolder();
    await using redis = await startRedisServer();
    const secret = 'p@ss word';
    const rules = ['on', `>${secret}`, '~localhost:*', '+@all', '-@admin', '-@dangerous', '+info'];
    await redis.kill();
    const REDIS_URL = redis.urlOf(`site:${encodeURIComponent(secret)}`);
    await using site = await SiteProcess.start({ dataDir: folder.path, env: { REDIS_URL } });
    const problems = async () =>
      ((await (await fetch(`${site.url}/api/health`)).json()) as HealthReply).problems;
    let attempts = 0;
    const signIn = async () => {
      attempts += 1;
      const { status } = await fetch(`${site.url}/api/auth/sign-in`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: site.origin },
        body: JSON.stringify({ email: `vera${attempts}@example.com`, password: 'wrong horse' }),
      });
      return status;
    };
    const lost = [expect.stringMatching(/^Redis cannot be used: rate limits are stricter/)];

    expect(await problems()).toEqual(lost);
    expect(await signIn()).toBe(401);

    await redis.start();
    await redis.command('ACL', 'SETUSER', 'site', ...rules);
    await expect.poll(problems).toEqual([]);
    const key = expect.stringContaining(`localhost:${site.port}:limit:sign-in-to:`);
    // A busy machine can be too late to count an attempt in Redis.
    await expect
      .poll(async () => {
        await signIn();
        return redis.command('KEYS', '*:limit:sign-in-to:*');
      })
      .toContainEqual(key);

    redis.pause();
    expect(await signIn()).toBe(401);
    await expect.poll(problems).toEqual(lost);
    expect((await fetch(`${site.url}/api/metrics`)).status).toBe(200);
    redis.resume();
    await expect.poll(problems).toEqual([]);
    await redis.kill();
    await expect.poll(problems).toEqual(lost);

    expect(JSON.stringify(site.log)).not.toMatch(/p@ss|p%40ss/);
    expect(await site.stop()).toMatchObject({ code: 0 });
  },
);
