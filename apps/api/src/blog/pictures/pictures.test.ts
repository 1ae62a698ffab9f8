import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownOfPicture } from '@app/contract/blog/picture-markdown';
import { pictureFiles, pictureSrcset } from '@app/contract/blog/pictures';
import { hour } from '@app/contract/durations';
import { imageMessages } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import type { Problem } from '@app/contract/problems';
import { users } from '@app/db/schema/accounts';
import { pictures, trashedPictures } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeDataDir } from '../../testing/blog.ts';
import {
  addPicture,
  fileForm,
  listPictures,
  pictureFolders,
  pictureRows,
  plainPicture,
  savePost,
  smallPicture,
  uploadPicture,
} from '../../testing/pictures.ts';
import { makeTestApp, signedInBrowser, userOf } from '../../testing/test-app.ts';
import { createPictureFiles } from './picture-files.ts';

test('stores a picture as AVIF and WebP and serves it for a year', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const photo = await plainPicture(1_200, 800).jpeg().toBuffer();
  const picture = await addPicture(ann, photo, '  A red wall  ');
  expect(picture).toMatchObject({ width: 1_200, height: 800, alt: 'A red wall', isUsed: false });
  expect(picture.path).toBe(`/pictures/${picture.id}/1200x800.webp`);

  let bytes = 0;
  for (const path of pictureFiles(picture)) {
    const response = await testApp.browser().get(path);
    expect(response.status).toBe(200);
    const [, width, height, format] = /(\d+)x(\d+)\.(\w+)$/.exec(path) ?? [];
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': `image/${format}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const file = Buffer.from(await response.arrayBuffer());
    bytes += file.length;
    expect(await sharp(file).metadata()).toMatchObject({
      width: Number(width),
      height: Number(height),
    });
  }
  expect(pictureFiles(picture)).toHaveLength(6);
  expect(picture.bytes).toBe(bytes);
});

test.each([
  ['no file', new FormData(), 422, imageMessages.noFile],
  ['text', fileForm(Buffer.from('text')), 422, imageMessages.unreadable],
  [
    'an animation',
    fileForm(
      await sharp([await smallPicture(), await plainPicture(60, 40, '#00f').png().toBuffer()], {
        join: { animated: true },
      })
        .webp()
        .toBuffer(),
    ),
    422,
    imageMessages.animated,
  ],
  [
    'too many pixels',
    fileForm(await plainPicture(25_001, 1_000).png().toBuffer()),
    422,
    imageMessages.tooManyPixels,
  ],
  ['too many bytes', fileForm(Buffer.alloc(limits.imageBytes + 1)), 413, imageMessages.tooLarge],
])('refuses %s and stores nothing', async (_, body, status, message) => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const response = await ann.request('POST', '/api/posts/pictures', { body });
  expect(response.status).toBe(status);
  expect(((await response.json()) as Problem).detail).toContain(message);
  expect([pictureRows(testApp), pictureFolders(testApp)]).toEqual([[], []]);
});

test('refuses visitors, members of a team site, and long descriptions', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  expect((await uploadPicture(testApp.browser(), await smallPicture())).status).toBe(401);
  const ann = await signedInBrowser(testApp);
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(403);
  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  expect((await uploadPicture(ann, await smallPicture(), 'a'.repeat(501))).status).toBe(422);
  expect((await uploadPicture(ann, await smallPicture(), 'a'.repeat(500))).status).toBe(201);
  expect(pictureFolders(testApp)).toHaveLength(1);
});

test('checks the session again when it stores the picture', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { refuseFull } = testApp.deps.pictures;
  testApp.deps.pictures.refuseFull = (user) => {
    testApp.deps.db.run('delete from sessions');
    return refuseFull(user);
  };
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(401);
  expect([pictureRows(testApp), pictureFolders(testApp)]).toEqual([[], []]);
});

test('limits the number, size and rate of uploads per account', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const { id: userId = '' } = (await userOf(ann)) ?? {};
  const fill = (id: string, bytes: number) => ({
    ...{ id, userId, width: 1, height: 1, bytes, alt: '', createdAt: 1, unusedSince: 1 },
  });
  deps.db.insert(pictures).values(fill('large', 524_288_000)).run();
  const full = await uploadPicture(ann, await smallPicture());
  expect([full.status, ((await full.json()) as Problem).code]).toEqual([403, 'quota_exceeded']);
  expect((await uploadPicture(bob, await smallPicture())).status).toBe(201);

  // Those in the trash take up as much space.
  deps.db.delete(pictures).where(eq(pictures.userId, userId)).run();
  const trashed = { id: 'large', userId, bytes: 524_288_000, trashedAt: deps.clock.now() };
  deps.db.insert(trashedPictures).values(trashed).run();
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(403);
  deps.db.delete(trashedPictures).run();

  deps.db.delete(pictures).where(eq(pictures.userId, userId)).run();
  deps.db
    .insert(pictures)
    .values(Array.from({ length: 999 }, (_, index) => fill(`p${index}`, 1)))
    .run();
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(201);
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(403);
  deps.db.update(users).set({ role: 'staff' }).where(eq(users.id, userId)).run();
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(201);

  const uploads = { name: 'pictures', max: 200, milliseconds: hour };
  for (let i = 0; i < 200; i += 1) await deps.rateLimits.take(uploads, userId);
  const often = await uploadPicture(ann, await smallPicture());
  expect([often.status, often.headers.has('Retry-After')]).toEqual([429, true]);
});

test.each([
  ['busy', 503, imageMessages.busy],
  ['too-many-at-once', 429, imageMessages.tooManyAtOnce],
  ['time-spent', 429, imageMessages.timeSpent(2)],
] as const)(
  'answers an upload that is %s with %i, before and after reading it',
  async (...given) => {
    const [refused, status, detail] = given;
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp);
    const failure = { refused, retryAfterSeconds: 90 };
    testApp.deps.images.resizePicture = async () => failure;
    const after = await uploadPicture(ann, await smallPicture());
    testApp.deps.images.refuse = () => failure;
    const before = await uploadPicture(ann, await smallPicture());
    for (const response of [after, before]) {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([status, '90']);
      expect(await response.json()).toMatchObject({ detail });
    }
  },
);

test('leaves no files behind when the row cannot be stored', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  testApp.deps.db.run(
    `create trigger broken before insert on pictures begin select raise(abort, 'no'); end`,
  );
  expect((await uploadPicture(ann, await smallPicture())).status).toBe(500);
  expect(pictureFolders(testApp)).toEqual([]);
});

test('lists the pictures of a user, newest first, and changes their descriptions', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const { id: userId = '' } = (await userOf(ann)) ?? {};
  const others = Array.from({ length: 30 }, (_, index) => ({
    ...{ id: `p${String(index).padStart(2, '0')}`, userId, width: 1, height: 1, bytes: 1 },
    ...{ alt: '', createdAt: 5, unusedSince: null },
  }));
  testApp.deps.db.insert(pictures).values(others).run();
  const newest = await addPicture(ann);

  const first = await listPictures(ann);
  expect(first.pictures.map(({ id }) => id).slice(0, 2)).toEqual([newest.id, 'p29']);
  const second = await listPictures(ann, `?cursor=${first.nextCursor}`);
  expect([first.pictures.length, second.pictures.length, second.nextCursor]).toEqual([24, 7, null]);
  expect((await listPictures(bob)).pictures).toEqual([]);
  expect((await ann.get('/api/posts/pictures?cursor=x')).status).toBe(400);
  expect((await testApp.browser().get('/api/posts/pictures')).status).toBe(401);

  const path = `/api/posts/pictures/${newest.id}`;
  expect((await bob.send('PATCH', path, { alt: 'Bob' })).status).toBe(404);
  expect((await ann.send('PATCH', path, { alt: 'A wall' })).status).toBe(200);
  expect((await listPictures(ann)).pictures[0]).toMatchObject({ alt: 'A wall' });
});

test('finds pictures by their descriptions', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  await addPicture(ann, undefined, 'A red valve');
  await addPicture(ann, undefined, '100 % copper');
  const found = async (query: string) =>
    (await listPictures(ann, `?q=${encodeURIComponent(query)}`)).pictures.map(({ alt }) => alt);
  expect(await found(' VALVE ')).toEqual(['A red valve']);
  expect(await found('0 %')).toEqual(['100 % copper']);
  expect(await found('%r')).toEqual([]);
  expect(await found('')).toHaveLength(2);
});

test('moves a deleted picture to the trash, unless it is in use', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const picture = await addPicture(ann);
  const path = `/api/posts/pictures/${picture.id}`;
  expect((await testApp.browser().request('DELETE', path)).status).toBe(401);
  expect((await bob.request('DELETE', path)).status).toBe(404);
  const post = await savePost(ann, { content: `![](${picture.path})` });
  const refused = await ann.request('DELETE', path);
  expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([
    409,
    'picture_in_use',
  ]);
  expect((await ann.get(picture.path)).status).toBe(200);

  await ann.request('DELETE', `/api/posts/${post.id}`);
  expect((await ann.request('DELETE', path)).status).toBe(409);
  await ann.request('POST', `/api/posts/${post.id}/delete-forever`);
  const deleted = await ann.request('DELETE', path);
  expect([deleted.status, await deleted.json()]).toEqual([200, { deleted: true }]);
  expect([pictureRows(testApp), pictureFolders(testApp)]).toEqual([[], []]);
  expect((await ann.get(picture.path)).status).toBe(404);
  const today = new Date(testApp.clock.now()).toISOString().slice(0, 10);
  expect(readdirSync(join(testApp.dataDir, 'trash', today, 'pictures'))).toEqual([picture.id]);
  expect((await ann.request('DELETE', path)).status).toBe(404);
});

test('serves only pictures from the folder', async () => {
  await using testApp = await makeTestApp();
  const { id } = await addPicture(await signedInBrowser(testApp));
  const root = join(testApp.dataDir, 'uploads/pictures');
  writeFileSync(join(root, id, 'secret.txt'), 'secret');
  for (const path of [
    '/pictures',
    `/pictures/${id}`,
    `/pictures/${id}/secret.txt`,
    `/pictures/${id}/..%2f..%2f..%2fsite.db`,
    `/pictures/${id}/60x41.webp`,
    '/pictures/..%2f..%2f/60x40.webp',
  ]) {
    expect((await testApp.browser().get(path)).status, path).toBe(404);
  }
});

test('a cover is a URL or the path of a picture', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { path } = await addPicture(ann);
  expect((await savePost(ann, { coverImage: path })).coverImage).toBe(path);
  for (const coverImage of ['/pictures/x.webp', '/etc', `${path}?x`, `//host${path}`]) {
    const response = await ann.post('/api/posts', { title: 'T', content: 'T', coverImage });
    expect(response.status, coverImage).toBe(422);
  }
});

test('a saved picture becomes responsive', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const picture = await addPicture(ann, await plainPicture(1_000, 500).png().toBuffer());
  const content = markdownOfPicture(picture.path, 'Alt');
  const { id } = await savePost(ann, { content, published: true });
  const body = await testApp.deps.bodies.ofPost(id);
  const html = body && 'html' in body ? body.html : '';
  expect(html).toContain(`srcset="${pictureSrcset(picture, 'avif')}"`);
  expect(html).toContain(`src="${picture.path}"`);
  expect(html).toContain('alt="Alt" width="1000" height="500" loading="lazy" decoding="async"');
});

test('a picture that cannot be stored leaves no files', async () => {
  const dataDir = makeDataDir();
  const image = { width: 9, height: 9, bytes: Buffer.from('image') };
  // The second file cannot be written, as on a full disk.
  const broken = { ...image, format: 'webp', bytes: null as never } as const;
  const images = [{ ...image, format: 'avif' } as const, broken];
  const files = createPictureFiles(dataDir);
  const staging = files.stage('0123456789abcdef01234567', { width: 9, height: 9, images });
  await expect(staging).rejects.toThrow();
  expect(pictureFolders({ dataDir })).toEqual([]);
});
