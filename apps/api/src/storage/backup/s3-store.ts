import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Credentials } from '../../env.ts';
import { createS3Client } from '../../s3/client.ts';
import { explainS3, S3Error } from '../../s3/errors.ts';
import { type S3Location, s3UrlOf } from '../../s3/s3-url.ts';
import type { ArchiveSource } from './archive.ts';
import type { BackupStore } from './store.ts';

/** S3 allows at most 10,000 parts, of at least 5 MB each. */
const minPartBytes = 8_388_608;
const maxParts = 9_000;

/** Each part is in memory. */
const concurrentParts = 2;

/** In milliseconds. Long, because parts are large. */
const timeouts = { connection: 10_000, idle: 60_000 };

/** Archives under a prefix of a bucket. Import it only when needed: the library is large. */
export function s3Store(
  location: S3Location,
  credentials: S3Credentials,
  workFolder: string,
): BackupStore {
  const { bucket, key: prefix } = location;
  const client = createS3Client(location, credentials, timeouts);
  const keyOf = (name: string): string => (prefix ? `${prefix}/${name}` : name);
  const locationOf = (name: string): string => s3UrlOf(location, keyOf(name));

  const remove = (name: string) =>
    explainS3(location, async () => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name) }));
    });

  return {
    workFolder,
    locationOf,
    remove,

    list: () =>
      explainS3(location, async () => {
        const names: string[] = [];
        const listed = { Bucket: bucket, Prefix: prefix && `${prefix}/`, Delimiter: '/' };
        for await (const page of paginateListObjectsV2({ client }, listed)) {
          for (const { Key } of page.Contents ?? []) if (Key) names.push(basename(Key));
        }
        return names;
      }),

    put: (archive, name, { signal, onProgress }) =>
      explainS3(location, async () => {
        onProgress(`Uploading ${locationOf(name)} …`);
        await upload(client, archive, { bucket, key: keyOf(name), signal });
        onProgress('Reading it back …');
        try {
          const stored = await openObject(client, { ...location, key: keyOf(name) });
          const [sent, received] = await Promise.all(
            [createReadStream(archive), stored.source].map((source) => hashOf(source, signal)),
          );
          if (sent === received) return;
          throw new S3Error(`${locationOf(name)} did not match what was uploaded and was deleted`);
        } catch (error) {
          await remove(name);
          throw error;
        }
      }),
  };
}

/** @throws {S3Error} */
export const openS3Object = (
  location: S3Location,
  credentials: S3Credentials,
): Promise<ArchiveSource> => openObject(createS3Client(location, credentials, timeouts), location);

const openObject = (client: S3Client, location: S3Location): Promise<ArchiveSource> =>
  explainS3(location, async () => {
    const { bucket, key } = location;
    const { Body, ContentLength = 0 } = await client
      .send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      .catch((error: Error) => {
        if (error.name !== 'NoSuchKey') throw error;
        throw new S3Error(`There is no ${s3UrlOf(location, key)}`);
      });
    if (!(Body instanceof Readable)) throw new Error('the reply has no stream');
    return { source: Readable.from(explainedChunks(Body, location)), bytes: ContentLength };
  });

async function* explainedChunks(body: Readable, location: S3Location): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await explainS3(location, () => chunks.next());
    if (done) return;
    yield value as Buffer;
  }
}

/** The object appears only when its last part has arrived. An abort deletes the parts. */
async function upload(
  client: S3Client,
  archive: string,
  { bucket, key, signal }: { bucket: string; key: string; signal: AbortSignal },
): Promise<void> {
  const { size } = await stat(archive);
  const abortController = new AbortController();
  const abort = () => abortController.abort();
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    await new Upload({
      client,
      params: {
        Bucket: bucket,
        Key: key,
        Body: createReadStream(archive),
        ContentType: 'application/gzip',
      },
      partSize: Math.max(minPartBytes, Math.ceil(size / maxParts)),
      queueSize: concurrentParts,
      abortController,
    }).done();
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function hashOf(source: Readable, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source) {
    signal.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
