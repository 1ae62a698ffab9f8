import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { createS3Client } from '../s3/client.ts';
import { parseS3Url } from '../s3/s3-url.ts';
import { startS3Server } from './s3-server.ts';

test('lists common prefixes without objects directly below, as S3 does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 's3-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await using server = await startS3Server(folder);
  const client = createS3Client(parseS3Url(server.urlOf('')), server.credentials, {
    ...{ connection: 2_000, idle: 10_000 },
  });
  for (const Key of ['a/file', 'a/b/c/one', 'a/b/c/two', 'a/d/e', 'f/g/h']) {
    await client.send(new PutObjectCommand({ Bucket: 'backups', Key, Body: Key }));
  }
  const list = async (options: { Prefix?: string; StartAfter?: string }) => {
    const { Contents = [], CommonPrefixes = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: 'backups', Delimiter: '/', ...options }),
    );
    return [Contents.map(({ Key }) => Key), CommonPrefixes.map(({ Prefix }) => Prefix)];
  };
  expect(await list({})).toEqual([[], ['a/', 'f/']]);
  expect(await list({ Prefix: 'a/' })).toEqual([['a/file'], ['a/b/', 'a/d/']]);
  expect(await list({ Prefix: 'a/b/' })).toEqual([[], ['a/b/c/']]);
  expect(await list({ Prefix: 'a/b/c/' })).toEqual([['a/b/c/one', 'a/b/c/two'], []]);
  expect(await list({ StartAfter: 'b' })).toEqual([[], ['f/']]);
});
