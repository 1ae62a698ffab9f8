import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { S3Credentials } from '../env.ts';
import { createS3Client } from './client.ts';
import { explainS3, S3Error, serverOf } from './errors.ts';
import type { S3Location } from './s3-url.ts';

const connectionTimeout = 2_000;

/** Uploads have at most 5 MB, so larger objects are not images of this site. */
export const maxObjectBytes = 10_485_760;

export interface StoredObject {
  key: string;
  bytes: number;
  /** On most servers, the MD5 in hex if the object was sent in one request. */
  etag: string;
  /** In milliseconds, according to the server's clock. */
  age: number;
}

/** The objects of a bucket under a prefix. Keys are relative to the prefix. */
export interface Bucket {
  /** The server checks the bytes against an MD5. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer | null>;
  list(prefix: string): AsyncGenerator<StoredObject>;
  /** @returns false if there is no such object */
  copy(from: string, to: string): Promise<boolean>;
  remove(key: string): Promise<void>;
}

interface OpenBucket extends Bucket {
  /** Time of the server's last response, in milliseconds since 1970; null before the first one. */
  serverTime(): number | null;
}

const contentTypes: Readonly<Record<string, string>> = { avif: 'image/avif', webp: 'image/webp' };

/**
 * @param timeout of each call, in milliseconds. The default is for commands, not for visitors
 * @returns a bucket whose methods throw an S3Error
 */
export function openBucket(
  location: S3Location,
  credentials: S3Credentials,
  { timeout = 30_000 }: { timeout?: number } = {},
): OpenBucket {
  const { bucket, key: folder } = location;
  const prefix = folder && `${folder}/`;
  const client = createS3Client(location, credentials, {
    connection: connectionTimeout,
    idle: timeout,
  });
  let serverTime: number | null = null;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { headers?: Record<string, string> };
      const time = Date.parse(headers?.['date'] ?? '');
      if (!Number.isNaN(time)) serverTime = time;
      return result;
    },
    { step: 'deserialize', name: 'serverTime' },
  );

  /** Limits the whole call: the library's own timeouts apply to each attempt. */
  async function call<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(timeout);
    const expired = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      const seconds = timeout / 1_000;
      expired.reject(new S3Error(`${serverOf(location)} did not reply within ${seconds} seconds`));
    });
    return await Promise.race([explainS3(location, () => work(signal)), expired.promise]);
  }

  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key });

  return {
    put: (key, bytes) =>
      call(async (abortSignal) => {
        const ending = key.split('.').at(-1) ?? '';
        await client.send(
          new PutObjectCommand({
            ...at(key),
            Body: bytes,
            ContentMD5: createHash('md5').update(bytes).digest('base64'),
            ContentType: contentTypes[ending] ?? 'application/octet-stream',
            // For hosts that serve the bucket directly. Names are unique, so objects never change.
            CacheControl: 'public, max-age=31536000, immutable',
          }),
          { abortSignal },
        );
      }),

    get: (key) =>
      call(async (abortSignal) => {
        const reply = await orMissing(client.send(new GetObjectCommand(at(key)), { abortSignal }));
        if (reply === missing) return null;
        const { Body: body, ContentLength: length } = reply;
        if (!(body instanceof Readable)) throw new Error('the reply has no stream');
        abortSignal.addEventListener('abort', () => body.destroy());
        const bytes = await readAll(body, key);
        if (length === undefined || bytes.length === length) return bytes;
        throw new S3Error(
          `${serverOf(location)} sent ${bytes.length} of ${length} bytes of ${key}`,
        );
      }),

    async *list(start) {
      for (let token: string | undefined; ; ) {
        const page = await call((abortSignal) =>
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: prefix + start,
              ContinuationToken: token,
            }),
            { abortSignal },
          ),
        );
        const now = serverTime ?? Date.now();
        for (const { Key = '', Size = 0, ETag = '', LastModified } of page.Contents ?? []) {
          yield {
            key: Key.slice(prefix.length),
            bytes: Size,
            etag: ETag.replaceAll('"', ''),
            age: LastModified ? now - LastModified.getTime() : 0,
          };
        }
        token = page.NextContinuationToken;
        if (!page.IsTruncated || token === undefined) return;
      }
    },

    copy: (from, to) =>
      call(async (abortSignal) => {
        const source = [bucket, ...`${prefix}${from}`.split('/')].map(encodeURIComponent).join('/');
        const command = new CopyObjectCommand({ ...at(to), CopySource: source });
        return (await orMissing(client.send(command, { abortSignal }))) !== missing;
      }),

    remove: (key) =>
      call(async (abortSignal) => {
        await client.send(new DeleteObjectCommand(at(key)), { abortSignal });
      }),

    serverTime: () => serverTime,
  };
}

const missing = Symbol('no such key');

const orMissing = <T>(reply: Promise<T>): Promise<T | typeof missing> =>
  reply.catch((error: Error) => {
    if (error.name === 'NoSuchKey' || error.name === 'NotFound') return missing;
    throw error;
  });

async function readAll(body: Readable, key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxObjectBytes) {
      body.destroy();
      throw new Error(`${key} in the bucket is larger than ${maxObjectBytes} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
