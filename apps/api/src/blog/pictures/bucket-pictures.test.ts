import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pictureFiles } from '@app/contract/blog/pictures';
import { day, hour } from '@app/contract/durations';
import { imageMessages } from '@app/contract/images';
import { pictures } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openBucket } from '../../s3/bucket.ts';
import { emptyTrash } from '../../storage/uploads/empty-trash.ts';
import { startFaultyS3 } from '../../testing/faulty-s3.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { addPicture, pictureRows, smallPicture, uploadPicture } from '../../testing/pictures.ts';
import { s3ServerForFile } from '../../testing/s3-server.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import { bucketPictureFiles } from './bucket-picture-files.ts';
import { storePicture } from './store-picture.ts';

const server = s3ServerForFile();

/** A site with its own prefix in the bucket. */
async function makeSite(options: Parameters<typeof makeTestApp>[0] = {}) {
  const prefix = randomUUID();
  const uploads = server.uploadsAt(prefix);
  const testApp = await makeTestApp({ ...options, settings: { uploads } });
  return { testApp, uploads, prefix };
}

/** Keys without the prefix. Omits the object that names the database. */
const keysBelow = (prefix: string): string[] =>
  server
    .keys()
    .filter((key) => key.startsWith(`${prefix}/`) && !key.startsWith(`${prefix}/site-`))
    .map((key) => key.slice(prefix.length + 1));

const keysOf = (picture: Parameters<typeof pictureFiles>[0], folder = 'uploads'): string[] =>
  pictureFiles(picture)
    .map((path) => folder + path)
    .sort();

const statusOf = async (testApp: TestApp, path: string): Promise<number> =>
  (await testApp.browser().get(path)).status;

const problemsOf = async (testApp: TestApp): Promise<string[]> =>
  ((await (await testApp.browser().get('/api/health')).json()) as { problems: string[] }).problems;

test('stores pictures as objects that every server serves, not as files', async () => {
  const { testApp, uploads, prefix } = await makeSite();
  await using one = testApp;
  await using other = await makeTestApp({ dataDir: one.dataDir, settings: { uploads } });
  const picture = await addPicture(await signedInBrowser(one));
  expect(keysBelow(prefix)).toEqual(keysOf(picture));
  for (const path of pictureFiles(picture)) {
    const [first, second] = [await one.browser().get(path), await other.browser().get(path)];
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': path.endsWith('.avif') ? 'image/avif' : 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await first.arrayBuffer())).toEqual(Buffer.from(await second.arrayBuffer()));
  }
  expect(await statusOf(one, `/pictures/${'f'.repeat(24)}/60x40.webp`)).toBe(404);
  expect(existsSync(join(one.dataDir, 'uploads/pictures'))).toBe(false);
});

test('reads an object from the bucket once while it is cached', async () => {
  const { testApp, prefix } = await makeSite();
  await using _ = testApp;
  const { path } = await addPicture(await signedInBrowser(testApp));
  await Promise.all([statusOf(testApp, path), statusOf(testApp, path)]);
  await statusOf(testApp, path);
  const reads = server.requests.filter((line) => line.startsWith(`GET /backups/${prefix}/uploads`));
  expect(reads).toHaveLength(1);
});

test('keeps a deleted picture in the trash for 30 days', async () => {
  const { testApp, prefix } = await makeSite({ publishes: true });
  await using _ = testApp;
  const ann = await signedInBrowser(testApp);
  const picture = await addPicture(ann);
  expect(await statusOf(testApp, picture.path)).toBe(200);
  expect((await ann.request('DELETE', `/api/posts/pictures/${picture.id}`)).status).toBe(200);
  expect(keysBelow(prefix)).toEqual(keysOf(picture, 'trash/2026-03-01'));
  expect(await statusOf(testApp, picture.path)).toBe(404);
  testApp.clock.move(30 * day);
  await emptyTrash(testApp.deps);
  expect(keysBelow(prefix)).toEqual(keysOf(picture, 'trash/2026-03-01'));
  testApp.clock.move(day);
  await emptyTrash(testApp.deps);
  expect(keysBelow(prefix)).toEqual([]);
});

test('the sweep removes files left by a crash after an hour, but no upload in progress', async () => {
  const { testApp, uploads, prefix } = await makeSite();
  await using _ = testApp;
  const picture = await addPicture(await signedInBrowser(testApp));
  const bucket = openBucket(uploads.location, uploads.credentials, { timeout: 10_000 });
  const [left, young] = ['e'.repeat(24), 'f'.repeat(24)];
  await bucket.put(`uploads/pictures/${left}/60x40.webp`, Buffer.from('left'));
  server.age(prefix, hour + 60_000);
  await bucket.put(`uploads/pictures/${young}/60x40.webp`, Buffer.from('new'));
  // One of its files is old, the other is new: an import is storing it again.
  await bucket.put(`uploads/pictures/${left}/60x40.avif`, Buffer.from('new'));
  await testApp.deps.pictures.sweep();
  expect(keysBelow(prefix)).toHaveLength(5);
  server.age(`${prefix}/uploads/pictures/${left}`, hour + 60_000);
  await testApp.deps.pictures.sweep();
  expect(keysBelow(prefix)).toEqual(
    [
      ...keysOf(picture),
      ...['avif', 'webp'].map((format) => `trash/2026-03-01/pictures/${left}/60x40.${format}`),
      `uploads/pictures/${young}/60x40.webp`,
    ].sort(),
  );
});

test('the sweep moves back a picture that an import stores in the meantime', async () => {
  const { testApp, uploads, prefix } = await makeSite();
  await using _ = testApp;
  const { db, clock } = testApp.deps;
  const bucket = openBucket(uploads.location, uploads.credentials, { timeout: 10_000 });
  const id = 'f'.repeat(24);
  await bucket.put(`uploads/pictures/${id}/60x40.webp`, Buffer.from('bytes'));
  const row = { id, width: 60, height: 40, bytes: 5, alt: '', createdAt: 0, unusedSince: null };
  const importing = {
    ...bucket,
    async copy(from: string, to: string) {
      const isCopied = await bucket.copy(from, to);
      if (to.startsWith('trash/')) db.insert(pictures).values(row).run();
      return isCopied;
    },
  };
  const withoutRow = () => (db.select().from(pictures).get() ? [] : [id]);
  await bucketPictureFiles(importing, clock).discardOrphans(db, withoutRow, clock.now());
  expect(keysBelow(prefix)).toEqual([`uploads/pictures/${id}/60x40.webp`]);
});

test('rejects an upload that takes more than half an hour', async () => {
  const { testApp, uploads } = await makeSite();
  await using _ = testApp;
  const { clock } = testApp;
  const bucket = openBucket(uploads.location, uploads.credentials, { timeout: 10_000 });
  const files = bucketPictureFiles(bucket, clock);
  const image = { width: 60, height: 40, format: 'webp' as const, bytes: Buffer.from('bytes') };
  const images = { width: 60, height: 40, images: [image] };
  const picture = { id: 'f'.repeat(24), userId: null, alt: '', images, now: clock.now() };
  const storing = storePicture({ db: testApp.deps.db, files }, picture, () => {
    clock.move(hour / 2 + 1);
    return null;
  });
  await expect(storing).rejects.toThrow('took too long');
  expect(pictureRows(testApp)).toEqual([]);
});

test('a server with another database removes nothing, and reports a health problem', async () => {
  const { testApp, uploads, prefix } = await makeSite();
  await using owner = testApp;
  await addPicture(await signedInBrowser(owner));
  await owner.deps.pictures.sweep();
  const before = keysBelow(prefix);
  server.age(prefix, 2 * hour);
  await using stranger = await makeTestApp({ publishes: true, settings: { uploads } });
  await stranger.deps.pictures.sweep();
  await stranger.deps.avatars.sweep();
  await emptyTrash(stranger.deps);
  expect(keysBelow(prefix)).toEqual(before);
  expect(await problemsOf(stranger)).toEqual([
    'The storage of avatars and pictures belongs to another database: nothing is cleaned up.',
  ]);
});

test('deleting an account deletes its objects at once', async () => {
  const { testApp, prefix } = await makeSite({ publishes: true });
  await using _ = testApp;
  const ann = await signedInBrowser(testApp);
  await addPicture(ann);
  const { id } = await addPicture(ann);
  expect((await ann.request('DELETE', `/api/posts/pictures/${id}`)).status).toBe(200);
  expect((await ann.send('DELETE', '/api/account', { posts: 'delete' })).status).toBe(204);
  expect(keysBelow(prefix)).toEqual([]);
});

const faults = ['reset', 'truncate', 'deny', 'fail'] as const;

test.each(isFullRun ? faults : faults.slice(0, 2))(
  'stores nothing, serves pages and recovers when the bucket has the fault “%s”',
  async (fault) => {
    const prefix = randomUUID();
    await using faulty = await startFaultyS3(server.endpoint);
    const uploads = server.uploadsAt(prefix, faulty.endpoint);
    await using testApp = await makeTestApp({ publishes: true, settings: { uploads } });
    const ann = await signedInBrowser(testApp);
    const { path } = await addPicture(ann);
    const unread = await addPicture(ann);
    expect(await statusOf(testApp, path)).toBe(200);

    faulty.break(fault);
    const read = await testApp.browser().get(unread.path);
    expect([read.status, read.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await statusOf(testApp, path)).toBe(200);
    expect(await statusOf(testApp, '/api/health/ready')).toBe(200);
    if (fault !== 'truncate') {
      const refused = await uploadPicture(ann, await smallPicture());
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({ detail: imageMessages.unavailable });
      expect(await problemsOf(testApp)).toHaveLength(2);
    }
    expect(pictureRows(testApp)).toHaveLength(2);

    faulty.break('none');
    await until(async () => (await problemsOf(testApp)).length === 0);
    expect(await statusOf(testApp, unread.path)).toBe(200);
    await addPicture(ann);
  },
);

test('inserts no row if the bucket fails after some files, which the sweep then removes', async () => {
  const prefix = randomUUID();
  await using faulty = await startFaultyS3(server.endpoint);
  const uploads = server.uploadsAt(prefix, faulty.endpoint);
  await using testApp = await makeTestApp({ publishes: true, settings: { uploads } });
  const ann = await signedInBrowser(testApp);
  faulty.break('deny', { affects: (method) => method === 'PUT', passes: 1 });
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(503);
  expect(pictureRows(testApp)).toEqual([]);
  // The request is answered when one file is refused, before the other one is stored.
  await until(() => keysBelow(prefix).length === 1);
  faulty.break('none');
  await until(async () => (await problemsOf(testApp)).length === 0);
  server.age(prefix, 2 * hour);
  await testApp.deps.pictures.sweep();
  expect(keysBelow(prefix)).toEqual([expect.stringMatching(/^trash\/2026-03-01\/pictures\//)]);
});

test('deletes an account with pictures that were deleted while the bucket was down', async () => {
  const prefix = randomUUID();
  await using faulty = await startFaultyS3(server.endpoint);
  const uploads = server.uploadsAt(prefix, faulty.endpoint);
  await using testApp = await makeTestApp({ publishes: true, settings: { uploads } });
  const ann = await signedInBrowser(testApp);
  const { id } = await addPicture(ann);
  faulty.break('deny');
  expect((await ann.request('DELETE', `/api/posts/pictures/${id}`)).status).toBe(200);
  faulty.break('none');
  await until(async () => (await problemsOf(testApp)).length === 0);
  expect((await ann.send('DELETE', '/api/account', { posts: 'delete' })).status).toBe(204);
  expect(keysBelow(prefix)).toEqual([]);
});

test('deletes only the row of a picture while the bucket is down; the sweep removes its objects', async () => {
  const prefix = randomUUID();
  await using faulty = await startFaultyS3(server.endpoint);
  const uploads = server.uploadsAt(prefix, faulty.endpoint);
  await using testApp = await makeTestApp({ publishes: true, settings: { uploads } });
  const ann = await signedInBrowser(testApp);
  const { id } = await addPicture(ann);
  faulty.break('deny');
  expect((await ann.request('DELETE', `/api/posts/pictures/${id}`)).status).toBe(200);
  expect(testApp.deps.db.select().from(pictures).where(eq(pictures.id, id)).all()).toEqual([]);
  faulty.break('none');
  await until(async () => (await problemsOf(testApp)).length === 0);
  server.age(prefix, 2 * hour);
  await testApp.deps.pictures.sweep();
  expect(keysBelow(prefix).every((key) => key.startsWith('trash/2026-03-01/'))).toBe(true);
});
