import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { accountMessages } from '@app/contract/accounts/messages';
import { hour } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import type { Problem } from '@app/contract/problems';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  both,
  filesIn,
  picture,
  profileOf,
  saveAfterDeletion,
  savedBy,
} from '../../testing/avatars.ts';
import { fileForm, plainPicture, putAvatar } from '../../testing/pictures.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, publicUrl, signedInBrowser } from '../../testing/test-app.ts';

test('saves an avatar in two sizes under the user id and upload time', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id } = await profileOf(ann);

  const avatarUrl = await savedBy(await putAvatar(ann, await picture()));
  const time = testApp.clock.now();
  expect(avatarUrl).toBe(`/uploads/avatars/${id}/avatar-${time}.webp`);
  expect((await profileOf(ann)).avatarUrl).toBe(avatarUrl);
  expect(await filesIn(testApp)).toEqual(both(avatarUrl));

  for (const [url, width] of [
    [avatarUrl, 512],
    [smallAvatarUrl(avatarUrl), 96],
  ] as const) {
    const response = await testApp.browser().get(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height: width });
    const head = await testApp.browser().request('HEAD', url);
    expect([head.status, await head.text()]).toEqual([200, '']);
  }
});

test('replaces an avatar under a new name', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const first = await savedBy(await putAvatar(ann, await picture()));
  // Names differ even for uploads within a millisecond.
  const second = await savedBy(await putAvatar(ann, await picture()));
  expect(second).not.toBe(first);
  await testApp.deps.avatars.settled();
  expect(await filesIn(testApp)).toEqual(both(second));
  expect((await testApp.browser().get(first)).status).toBe(404);
  const etag = (await testApp.browser().get(second)).headers.get('ETag') ?? '';
  const conditional = { headers: { 'If-None-Match': etag } };
  expect((await testApp.browser().request('GET', second, conditional)).status).toBe(304);

  const removed = await ann.request('DELETE', '/api/profile/avatar');
  expect(removed.status).toBe(204);
  await testApp.deps.avatars.settled();
  expect((await profileOf(ann)).avatarUrl).toBeNull();
  expect(await filesIn(testApp)).toEqual([]);
  expect((await ann.request('DELETE', '/api/profile/avatar')).status).toBe(204);
});

test('of concurrent uploads, only the one in the row remains', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bytes = await picture();
  const addresses = await Promise.all(
    Array.from({ length: 3 }, async () => savedBy(await putAvatar(ann, bytes))),
  );
  expect(new Set(addresses).size).toBe(3);
  await testApp.deps.avatars.settled();
  const { avatarUrl } = await profileOf(ann);
  expect(await filesIn(testApp)).toEqual(both(avatarUrl ?? ''));
});

// image-processor.test.ts tests when this happens.
const busy = { refused: 'busy', retryAfterSeconds: 5 };
test.each([
  ['before its bytes are read', { refuse: () => busy }],
  ['after others were faster', { cropToSquare: async () => busy }],
])('answers 503 when the queue is full, %s', async (_, change) => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  Object.assign(testApp.deps.images, change);
  const response = await putAvatar(ann, await picture());
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('5');
  expect(((await response.json()) as Problem).detail).toBe(accountMessages.avatar.busy);
  const form = { body: fileForm(await picture()) };
  const posted = await ann.request('POST', '/api/profile/avatar', form);
  expect(posted.headers.get('Location')).toBe('/profile#avatar-failed');
});

test('limits uploads per user across networks', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  // Instead of 29 uploads, which take a second each.
  const { id } = await profileOf(ann);
  const uploads = { name: 'avatars', max: 30, milliseconds: hour };
  for (let i = 0; i < 29; i += 1) await testApp.deps.rateLimits.take(uploads, id);

  const noPicture = Buffer.from('no picture');
  expect((await putAvatar(ann, noPicture)).status).toBe(422);
  const refused = await putAvatar(ann, noPicture);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_000);
  expect((await putAvatar(bob, noPicture)).status).toBe(422);
});

test('rejects files that are not usable images, and stores nothing', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const gif = await sharp(
    [await picture(), await plainPicture(300, 200, '#33d').png().toBuffer()],
    { join: { animated: true } },
  )
    .gif()
    .toBuffer();
  const huge = await plainPicture(25_001, 1_000).png().toBuffer();
  const cases: [Uint8Array, string][] = [
    [Buffer.alloc(0), accountMessages.avatar.unreadable],
    [gif, accountMessages.avatar.animated],
    [huge, accountMessages.avatar.tooManyPixels],
  ];
  for (const [bytes, message] of cases) {
    const response = await putAvatar(ann, bytes);
    expect(response.status).toBe(422);
    expect(((await response.json()) as Problem).issues).toEqual([{ path: 'file', message }]);
  }
  const none = await ann.request('PUT', '/api/profile/avatar', {
    body: fileForm(await picture(), 'me.png', 'picture'),
  });
  expect(((await none.json()) as Problem).issues).toEqual([
    { path: 'file', message: 'No file selected' },
  ]);
  expect((await profileOf(ann)).avatarUrl).toBeNull();
  expect(await filesIn(testApp)).toEqual([]);
});

test('accepts files up to 5 MB', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const exact = Buffer.concat([await picture(), Buffer.alloc(limits.imageBytes)]);
  const largest = await putAvatar(ann, exact.subarray(0, limits.imageBytes));
  expect(largest.status).toBe(200);
  const larger = await putAvatar(ann, exact.subarray(0, limits.imageBytes + 1));
  expect(larger.status).toBe(413);
  expect(((await larger.json()) as Problem).detail).toBe(accountMessages.avatar.tooLarge);
});

test('redirects a form without JavaScript to the page with the result', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const post = async (bytes: Uint8Array, name?: string) => {
    const response = await ann.request('POST', '/api/profile/avatar', {
      body: fileForm(bytes, name),
    });
    return [response.status, response.headers.get('Location')];
  };
  expect(await post(await picture())).toEqual([303, '/profile#avatar-updated']);
  expect(await post(Buffer.alloc(0), '')).toEqual([303, '/profile#avatar-no-file']);
  expect(await post(Buffer.from('text'))).toEqual([303, '/profile#avatar-unreadable']);
  const tooLarge = Buffer.alloc(limits.imageBytes + 1);
  expect(await post(tooLarge)).toEqual([303, '/profile#avatar-too-large']);
  const far = Buffer.alloc(limits.imageBytes * 2);
  expect(await post(far)).toEqual([303, '/profile#avatar-too-large']);

  const removed = await ann.submit('/api/profile/avatar/delete', {});
  expect([removed.status, removed.headers.get('Location')]).toEqual([
    303,
    '/profile#avatar-removed',
  ]);
  expect((await profileOf(ann)).avatarUrl).toBeNull();
});

test('serves only valid avatar paths', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const avatarUrl = await savedBy(await putAvatar(ann, await picture()));
  const { id } = await profileOf(ann);

  for (const name of [`../${id}/avatar-1.webp`, avatarUrl, 'a\u0000b.png']) {
    expect(await savedBy(await putAvatar(bob, await picture(), name))).not.toContain(id);
  }
  await bob.request('DELETE', '/api/profile/avatar');
  await testApp.deps.avatars.settled();
  expect(await filesIn(testApp)).toEqual(both(avatarUrl));
  expect((await profileOf(ann)).avatarUrl).toBe(avatarUrl);

  await writeFile(join(testApp.dataDir, 'uploads', 'secret.webp'), 'secret');
  await writeFile(join(testApp.dataDir, 'uploads', 'avatars', id, 'secret.webp'), 'secret');
  for (const path of [
    '/uploads',
    '/uploads/',
    '/uploads/secret.webp',
    '/uploads/avatars',
    '/uploads/avatars/',
    `/uploads/avatars/${id}`,
    `/uploads/avatars/${id}/`,
    `/uploads/avatars/${id}/secret.webp`,
    `/uploads/avatars/${id}/.`,
    `/uploads/avatars/${id}/..`,
    `/uploads/avatars/${id}/avatar-1.webp`,
    `/uploads/avatars/${id}/..%2f..%2fsecret.webp`,
    '/uploads/avatars/..%2f/secret.webp',
    '/uploads/avatars/..%2f..%2f/site.db',
    '/uploads/avatars/%2e%2e/secret.webp',
    `/uploads/avatars/${id}/avatar-1.webp%00.png`,
    `${avatarUrl}/`,
    `${avatarUrl}.br`,
  ]) {
    const response = await testApp.browser().get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).not.toContain('secret');
  }
});

test('rejects uploads from other sites', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const before = allRows(testApp.deps.db);
  for (const [method, path] of [
    ['PUT', '/api/profile/avatar'],
    ['POST', '/api/profile/avatar'],
  ] as const) {
    const response = await ann.request(method, path, {
      body: fileForm(await picture()),
      headers: { Origin: `${publicUrl}.evil.example` },
    });
    expect(response.status).toBe(403);
  }
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test('deletes an avatar that is stored after its account was deleted', async () => {
  await using testApp = await makeTestApp();
  await saveAfterDeletion(testApp);
  expect(await filesIn(testApp)).toEqual([]);
  expect(await filesIn(testApp, 'trash')).toEqual([]);
});
