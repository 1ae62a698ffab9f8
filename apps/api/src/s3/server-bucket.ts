import { LRUCache } from 'lru-cache';
import type { UploadsSettings } from '../env.ts';
import { lazy } from '../lazy.ts';
import type { Log } from '../log.ts';
import type { Bucket, StoredObject } from './bucket.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

/** In milliseconds. A visitor waits for a read, a signed-in user for several writes at once. */
const serverTimeouts = { read: 3_000, write: 8_000 };

/** A few hundred pictures. In memory, because a restart reads them again in milliseconds. */
const maxCacheBytes = 64 * 1024 * 1024;

/** In milliseconds. Limited, because other servers delete objects as well. */
const cacheLifetime = 10 * 60 * 1_000;

/** Key of an empty object that exists only for a moment. */
const probeKey = 'probe';

/** Key prefix of an empty object that records which database the bucket belongs to. */
const siteMarker = 'site-';

export type BucketOperation = 'read' | 'list' | 'write' | 'copy' | 'delete';

interface ServerBucketParts {
  uploads: UploadsSettings;
  siteId: string;
  health: { report(source: string, text: string): void; clear(source: string): void };
  metrics: { countBucketCall(operation: BucketOperation, isOk: boolean): void };
  log: Log;
  timeouts?: typeof serverTimeouts;
}

export type ServerBucket = ReturnType<typeof createServerBucket>;

const problems = {
  reads: 'Avatars and pictures cannot be read: their storage does not answer.',
  writes: 'Avatars and pictures cannot be stored: their storage does not accept them.',
  foreign:
    'The storage of avatars and pictures belongs to another database: nothing is cleaned up.',
} as const;

/**
 * The bucket of UPLOADS_URL. Calls have timeouts, are rejected at once while the bucket does not
 * work, and cache the objects that they read in memory.
 */
export function createServerBucket({
  uploads,
  siteId,
  health,
  metrics,
  log,
  timeouts = serverTimeouts,
}: ServerBucketParts) {
  const { location, credentials } = uploads;
  const cache = new LRUCache<string, Buffer>({
    maxSize: maxCacheBytes,
    sizeCalculation: (bytes) => Math.max(bytes.length, 1),
    ttl: cacheLifetime,
  });
  const reading = new Map<string, Promise<Buffer | null>>();

  const open = lazy(async () => {
    const { openBucket } = await import('./bucket.ts');
    return {
      reads: openBucket(location, credentials, { timeout: timeouts.read }),
      writes: openBucket(location, credentials, { timeout: timeouts.write }),
    };
  });

  const breakerOf = (source: 'reads' | 'writes', probe: () => Promise<unknown>) =>
    createCircuitBreaker({
      probe,
      onDown(error) {
        log.error({ err: error }, 'the bucket of UPLOADS_URL does not work');
        health.report(`uploads ${source}`, problems[source]);
      },
      onUp: () => health.clear(`uploads ${source}`),
    });

  const reads = breakerOf('reads', async () => (await open()).reads.list(probeKey).next());
  const writes = breakerOf('writes', async () => {
    const bucket = (await open()).writes;
    await bucket.put(probeKey, new Uint8Array());
    await bucket.remove(probeKey);
  });

  async function counted<T>(operation: BucketOperation, call: () => Promise<T>): Promise<T> {
    try {
      const result = await call();
      metrics.countBucketCall(operation, true);
      return result;
    } catch (error) {
      metrics.countBucketCall(operation, false);
      throw error;
    }
  }
  const write = <T>(operation: BucketOperation, work: (bucket: Bucket) => Promise<T>) =>
    counted(operation, () => writes.run(async () => work((await open()).writes)));

  function load(key: string): Promise<Buffer | null> {
    const loading: Promise<Buffer | null> = counted('read', () =>
      reads.run(async () => (await open()).reads.get(key)),
    )
      .then((bytes) => {
        // Unless it was removed in the meantime.
        if (bytes && reading.get(key) === loading) cache.set(key, bytes);
        return bytes;
      })
      .finally(() => {
        if (reading.get(key) === loading) reading.delete(key);
      });
    reading.set(key, loading);
    return loading;
  }

  function forget(key: string): void {
    cache.delete(key);
    reading.delete(key);
  }

  async function* list(prefix: string): AsyncGenerator<StoredObject> {
    const objects = (await open()).reads.list(prefix);
    const next = () => reads.run(() => objects.next());
    let found = await counted('list', next);
    for (; !found.done; found = await next()) yield found.value;
  }

  const put = (key: string, bytes: Uint8Array) =>
    write('write', (bucket) => bucket.put(key, bytes));

  return {
    put,

    async get(key) {
      return cache.get(key) ?? reading.get(key) ?? load(key);
    },

    list,

    copy: (from, to) => write('copy', (bucket) => bucket.copy(from, to)),

    async remove(key) {
      try {
        await write('delete', (bucket) => bucket.remove(key));
      } finally {
        forget(key);
      }
    },

    /** False if objects without a row must not be removed, because another database may have them. */
    async isOurs(): Promise<boolean> {
      const isOurs = await claimBucket({ list, put }, siteId);
      if (isOurs) health.clear('uploads owner');
      else health.report('uploads owner', problems.foreign);
      return isOurs;
    },

    stop(): void {
      reads.stop();
      writes.stop();
    },
  } satisfies Bucket & { isOurs(): Promise<boolean>; stop(): void };
}

/**
 * Marks the bucket as belonging to a database.
 * @returns false if it belongs to another one
 */
export async function claimBucket(
  bucket: Pick<Bucket, 'list' | 'put'>,
  siteId: string,
): Promise<boolean> {
  const own = siteMarker + siteId;
  const marked: string[] = [];
  for await (const { key } of bucket.list(siteMarker)) marked.push(key);
  if (marked.length === 0) await bucket.put(own, new Uint8Array());
  return marked.every((key) => key === own);
}
