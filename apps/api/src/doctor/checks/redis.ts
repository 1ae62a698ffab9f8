import type { RedisClient } from '../../server/redis/client.ts';
import type { RedisSettings } from '../../server/redis/settings.ts';
import { type DeploymentCheck, type Finding, failure, ok, skipped, warning } from '../check.ts';

/** In milliseconds: half of the time that a request waits for Redis. */
const slowReply = 50;
const oldestMajor = 7;
const maxMemoryUse = 0.9;

export const redis: DeploymentCheck = {
  name: 'redis',
  needs: 'settings',
  async run({ env }, signal) {
    if (!env.redis) return [skipped('REDIS_URL is not set: rate limits are in the database.')];
    const { openClient, reasonOf } = await import('../../server/redis/client.ts');
    const client = openClient(env.redis);
    // Prevents an unhandled error: the failing call rejects as well.
    client.on('error', () => undefined);
    signal.addEventListener('abort', () => client.destroy());
    try {
      return await examine(client);
    } catch (error) {
      const reason = reasonOf(error);
      return [failure(`Redis cannot be used (${reason}).`, fixOf(reason, env.redis))];
    } finally {
      client.destroy();
    }
  },
};

async function examine(client: RedisClient): Promise<Finding[]> {
  const { probe } = await import('../../server/redis/client.ts');
  await client.connect();
  await probe(client);
  const began = performance.now();
  await probe(client);
  const milliseconds = performance.now() - began;
  const info = parseInfo(await client.info());
  const product = info['valkey_version'] === undefined ? 'Redis' : 'Valkey';
  const version = info['valkey_version'] ?? info['redis_version'] ?? 'of unknown version';
  const problems = [
    ...ageFindings(`${product} ${version}`, version),
    ...speedFindings(milliseconds),
    ...memoryFindings(info),
  ];
  const answers = `${product} ${version} answers in ${milliseconds.toFixed(1)} ms`;
  return problems.length > 0 ? problems : [ok(`${answers}, and accepts writes.`)];
}

/** Lines such as maxmemory_policy:noeviction. */
const parseInfo = (text: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    [...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]),
  );

const ageFindings = (name: string, version: string): Finding[] =>
  Number.parseInt(version, 10) < oldestMajor
    ? [warning(`${name} is no longer maintained.`, 'Update to Redis 7 or Valkey, or newer.')]
    : [];

const speedFindings = (milliseconds: number): Finding[] =>
  milliseconds > slowReply
    ? [
        warning(
          `Redis takes ${Math.round(milliseconds)} ms to reply. After 100 ms, the server counts requests on its own.`,
          'Run Redis in the same network as the servers, and see `redis-cli --latency`.',
        ),
      ]
    : [];

function memoryFindings(info: Readonly<Record<string, string | undefined>>): Finding[] {
  const max = Number(info['maxmemory'] ?? 0);
  if (max === 0) return [];
  const found: Finding[] = [];
  const policy = info['maxmemory_policy'];
  if (policy !== 'noeviction') {
    found.push(
      warning(
        `Redis deletes keys when its memory is full (maxmemory-policy ${policy}), so that clients can make it forget rate limits.`,
        'Set `maxmemory-policy noeviction`: when the memory is full, each server counts requests on its own.',
      ),
    );
  }
  const use = Number(info['used_memory'] ?? 0) / max;
  if (use > maxMemoryUse) {
    found.push(
      warning(
        `Redis uses ${Math.round(use * 100)} % of its maxmemory.`,
        'Raise maxmemory, or find out what else is stored in this Redis.',
      ),
    );
  }
  return found;
}

function fixOf(reason: string, { keyPrefix }: RedisSettings): string {
  if (/^(?:WRONGPASS|NOAUTH)\b/.test(reason)) {
    return 'Set the user and the password of REDIS_URL. Special characters must be percent-encoded.';
  }
  if (/^NOPERM\b/.test(reason)) {
    return `Allow its user to run scripts on the keys of this site: \`ACL SETUSER <user> ~${keyPrefix}* +@all -@admin -@dangerous +info\`.`;
  }
  if (/^OOM\b/.test(reason))
    return 'Raise maxmemory, or find out what else is stored in this Redis.';
  if (/^(?:READONLY|MISCONF|NOREPLICAS)\b/.test(reason)) {
    return 'Redis refuses writes. Set REDIS_URL to the primary, and see its log.';
  }
  if (/certificate/i.test(reason)) {
    return 'Make Node trust its CA: NODE_EXTRA_CA_CERTS=/etc/ssl/redis-ca.pem.';
  }
  return 'Start Redis, and check the host, the port and the database number of REDIS_URL. Use rediss:// for TLS.';
}
