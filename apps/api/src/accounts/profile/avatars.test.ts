import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { accountMessages } from '@app/contract/accounts/messages';
import type { Profile } from '@app/contract/accounts/profile';
import type { PostSaved } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { Problem } from '@app/contract/problems';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { busy } from '../../images/image-processor.ts';
import { countRequest, createRateLimit } from '../../server/rate-limits.ts';
import { makeDataDir, rendererWith } from '../../testing/blog.ts';
import { fileForm, plainPicture, putAvatar } from '../../testing/pictures.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  publicUrl,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';
import { until } from '../../testing/until.ts';

const picture = () => plainPicture().png().toBuffer();

const profileOf = async (browser: TestBrowser): Promise<Profile> =>
  (await (await browser.get('/api/profile')).json()) as Profile;

const savedBy = async (response: Response): Promise<string> => {
  expect(response.status).toBe(200);
  return ((await response.json()) as AvatarSaved).avatarUrl;
};

/** By path in DATA_DIR. */
async function filesIn(
  { dataDir }: Pick<TestApp, 'dataDir'>,
  folder = 'uploads',
): Promise<string[]> {
  const path = join(dataDir, folder);
  if (!existsSync(path)) return [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(dataDir.length))
    .sort();
}

const both = (avatarUrl: string): string[] => [smallAvatarUrl(avatarUrl), avatarUrl].sort();

test('saves an avatar in two sizes under the user id and upload time', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id } = await profileOf(ann);

  const avatarUrl = await savedBy(await putAvatar(ann, await picture()));
  const time = testApp.clock.now();
  expect(avatarUrl).toBe(`/uploads/avatars/${id}/avatar-${time}.webp`);
  expect((await profileOf(ann)).avatarUrl).toBe(avatarUrl);
  expect(await filesIn(testApp)).toEqual(both(avatarUrl));

  for (const [address, width] of [
    [avatarUrl, 512],
    [smallAvatarUrl(avatarUrl), 96],
  ] as const) {
    const response = await testApp.browser().get(address);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height: width });
    const head = await testApp.browser().request('HEAD', address);
    expect([head.status, await head.text()]).toEqual([200, '']);
  }
});

test('replaces an avatar under a new name', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const first = await savedBy(await putAvatar(ann, await picture()));
  // Names differ even within a millisecond.
  const second = await savedBy(await putAvatar(ann, await picture()));
  expect(second).not.toBe(first);
  await testApp.deps.avatars.settled();
  expect(await filesIn(testApp)).toEqual(both(second));
  expect((await testApp.browser().get(first)).status).toBe(404);

  const removed = await ann.request('DELETE', '/api/profile/avatar');
  expect(removed.status).toBe(204);
  await testApp.deps.avatars.settled();
  expect((await profileOf(ann)).avatarUrl).toBeNull();
  expect(await filesIn(testApp)).toEqual([]);
  expect((await ann.request('DELETE', '/api/profile/avatar')).status).toBe(204);
});

test('of concurrent uploads one remains, the one in the row', async () => {
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

// pictures.test.ts tests the number.
test.each([
  ['before its bytes are read', { isBusy: () => true }],
  ['when others came in between', { save: async () => busy }],
] as const)('answers 503 when the queue is full, %s', async (_, change) => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  const ann = await signedInBrowser(testApp);
  Object.assign(deps.avatars, change);
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
  // Instead of 29 uploads, a second each.
  const { id } = await profileOf(ann);
  const uploads = createRateLimit(testApp.deps, { name: 'avatars', max: 30, seconds: 3_600 });
  for (let i = 0; i < 29; i += 1) await countRequest(testApp.deps, uploads, id);

  const noPicture = Buffer.from('no picture');
  expect((await putAvatar(ann, noPicture)).status).toBe(422);
  const refused = await putAvatar(ann, noPicture);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_000);
  expect((await putAvatar(bob, noPicture)).status).toBe(422);
});

test('rejects files that are not images, and stores nothing', async () => {
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

test('updates the author’s pages, and keeps the old avatar until then', async () => {
  const dataDir = makeDataDir();
  let holdsUp = Promise.resolve();
  const renderer = rendererWith(makeRenderer(dataDir), () => holdsUp);
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  const { deps } = testApp;
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const published = { title: 'Title', content: 'Text', published: true };
  await ann.post('/api/posts', { ...published, slug: 'anns' });
  await bob.post('/api/posts', { ...published, slug: 'bobs' });
  const draft = await ann.post('/api/posts', { ...published, slug: 'a-draft', published: false });
  expect(((await draft.json()) as PostSaved).post.published).toBe(false);
  const page = async (path: string) => {
    const file = await deps.siteFiles.load(path);
    return file?.representations.identity.body.toString() ?? '';
  };

  const first = await savedBy(await putAvatar(ann, await picture()));
  await deps.avatars.settled();
  for (const path of ['/blog', '/blog/anns', '/blog/rss.xml']) {
    expect(await page(path)).toContain(first);
  }
  expect(await page('/blog/bobs')).not.toContain(first);

  const gate = Promise.withResolvers<void>();
  holdsUp = gate.promise;
  const second = await savedBy(await putAvatar(ann, await picture()));
  // The reply did not wait: readers of the old page still see the old avatar.
  expect(await page('/blog/anns')).toContain(first);
  expect((await testApp.browser().get(first)).status).toBe(200);
  gate.resolve();
  await deps.avatars.settled();
  expect(await page('/blog/anns')).toContain(second);
  expect((await testApp.browser().get(first)).status).toBe(404);

  await ann.send('PATCH', '/api/profile', { fullName: 'Ann Author' });
  await until(async () => (await page('/blog/anns')).includes('Ann Author'));
  await until(async () => (await deps.publisher.depth()) === 0);
  expect(await page('/blog')).toContain('Ann Author');

  await ann.request('DELETE', '/api/profile/avatar');
  await deps.avatars.settled();
  expect(await page('/blog/anns')).not.toContain('/uploads/');
});

test('publishes nothing if no page changes', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps } = testApp;
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { title: 'A draft', content: 'Text' });
  const jobs = () =>
    deps.db.$client
      .prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'publish_jobs'")
      .get()?.seq;
  const before = jobs();
  await ann.send('PATCH', '/api/profile', { fullName: 'Ann Author' });
  await putAvatar(ann, await picture());
  await deps.avatars.settled();
  expect(jobs()).toBe(before);

  await ann.post('/api/posts', { title: 'A post', content: 'Text', published: true });
  const published = jobs() ?? 0;
  await ann.send('PATCH', '/api/profile', { fullName: 'Ann Author', username: 'ann' });
  expect(jobs()).toBe(published);
  await ann.send('PATCH', '/api/profile', { fullName: null });
  expect(jobs()).toBe(published + 1);
  await ann.send('PATCH', '/api/profile', { username: 'annie' });
  expect(jobs()).toBe(published + 2);
  await ann.request('DELETE', '/api/profile/avatar');
  expect(jobs()).toBe(published + 3);
  await ann.request('DELETE', '/api/profile/avatar');
  expect(jobs()).toBe(published + 3);
});

const day = 24 * 60 * 60 * 1_000;

test('keeps a replaced avatar in the trash for 30 days without serving it', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { avatars } = testApp.deps;
  const ann = await signedInBrowser(testApp);
  const first = await savedBy(await putAvatar(ann, await picture()));
  const second = await savedBy(await putAvatar(ann, await picture()));
  await avatars.settled();
  const inTrash = (url: string) =>
    both(url).map((path) => path.replace('/uploads/', '/trash/2026-03-01/'));
  expect(await filesIn(testApp, 'trash')).toEqual(inTrash(first));
  await ann.request('DELETE', '/api/profile/avatar');
  await avatars.settled();
  expect(await filesIn(testApp, 'trash')).toEqual([...inTrash(first), ...inTrash(second)].sort());
  expect(await filesIn(testApp)).toEqual([]);
  for (const path of [first, second, ...inTrash(first)]) {
    expect((await testApp.browser().get(path)).status).toBe(404);
  }

  testApp.clock.move(30 * day);
  await avatars.sweep();
  expect(await filesIn(testApp, 'trash')).toHaveLength(4);
  testApp.clock.move(day);
  await avatars.sweep();
  expect(await filesIn(testApp, 'trash')).toEqual([]);
});

test('restores an avatar from the trash for a restored database', async () => {
  const dataDir = makeDataDir();
  let first: string;
  let older: Buffer;
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const ann = await signedInBrowser(testApp);
    first = await savedBy(await putAvatar(ann, await picture()));
    testApp.deps.db.$client.pragma('wal_checkpoint(TRUNCATE)');
    older = await readFile(join(dataDir, 'site.db'));
    await putAvatar(ann, await picture());
    await testApp.deps.avatars.settled();
    expect(await filesIn(testApp)).not.toContain(first);
  }
  await writeFile(join(dataDir, 'site.db'), older);
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await filesIn(testApp)).toEqual(both(first));
  expect((await testApp.browser().get(first)).status).toBe(200);
});

test('moves avatars of unknown accounts to the trash', async () => {
  const dataDir = makeDataDir();
  let avatarUrl: string;
  let full: Buffer;
  let empty: Buffer;
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const read = () => {
      testApp.deps.db.$client.pragma('wal_checkpoint(TRUNCATE)');
      return readFile(join(dataDir, 'site.db'));
    };
    empty = await read();
    const ann = await signedInBrowser(testApp);
    avatarUrl = await savedBy(await putAvatar(ann, await picture()));
    full = await read();
  }
  await writeFile(join(dataDir, 'site.db'), empty);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    expect(await filesIn(testApp)).toEqual([]);
  }
  await writeFile(join(dataDir, 'site.db'), full);
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await filesIn(testApp)).toEqual(both(avatarUrl));
  expect(await filesIn(testApp, 'trash')).toEqual([]);
});

test('keeps the avatar of a page that cannot be updated for an hour', async () => {
  const dataDir = makeDataDir();
  let fails = false;
  const renderer = rendererWith(makeRenderer(dataDir), async () => {
    if (fails) throw new Error('cannot be rendered');
  });
  await using testApp = await makeTestApp({ publishes: true, dataDir, renderer });
  const { avatars } = testApp.deps;
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { title: 'Title', content: 'Text', published: true });
  const first = await savedBy(await putAvatar(ann, await picture()));
  await avatars.settled();
  fails = true;
  const second = await savedBy(await putAvatar(ann, await picture()));
  await avatars.settled();
  await avatars.sweep();
  expect((await testApp.browser().get(first)).status).toBe(200);
  testApp.clock.move(60 * 60 * 1_000);
  await avatars.sweep();
  expect((await testApp.browser().get(first)).status).toBe(404);
  expect((await testApp.browser().get(second)).status).toBe(200);
});

test('a start creates the folder and removes leftovers of a crash', async () => {
  const dataDir = makeDataDir();
  let avatarUrl: string;
  let id: string;
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const ann = await signedInBrowser(testApp);
    ({ id } = await profileOf(ann));
    avatarUrl = await savedBy(await putAvatar(ann, await picture()));
  }
  const folder = join(dataDir, 'uploads', 'avatars');
  const bytes = await readFile(join(dataDir, avatarUrl));
  // Killed before the row was written; partially written; of a deleted account.
  await writeFile(join(folder, id, 'avatar-1.webp'), bytes);
  await writeFile(join(folder, id, '.new-avatar-2.webp'), bytes);
  await mkdir(join(folder, 'gone'));
  await writeFile(join(folder, 'gone', 'avatar-3.webp'), bytes);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    expect(await filesIn(testApp)).toEqual(both(avatarUrl));
    expect(existsSync(join(folder, 'gone'))).toBe(false);
    const trashed = (await filesIn(testApp, 'trash')).map((path) => path.split('/').at(-1));
    expect(trashed.sort()).toEqual(['avatar-1.webp', 'avatar-3.webp']);
    await testApp.deps.avatars.removeAll(id);
    expect(await filesIn(testApp)).toEqual([]);
    expect((await filesIn(testApp, 'trash')).join()).not.toContain(id);
  }
  await rm(join(dataDir, 'uploads'), { recursive: true });
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await filesIn(testApp)).toEqual([]);
});

test('starts without the folder', async () => {
  const dataDir = makeDataDir();
  await writeFile(join(dataDir, 'uploads'), 'a file where the folder should be');
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect((await testApp.browser().get('/api/health')).status).toBe(200);
  const ann = await signedInBrowser(testApp);
  const response = await putAvatar(ann, await picture());
  expect(response.status).toBe(500);
  expect((await profileOf(ann)).avatarUrl).toBeNull();
});
