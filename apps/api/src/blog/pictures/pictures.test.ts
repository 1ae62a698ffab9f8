import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Picture, PictureList } from '@app/contract/blog/picture-replies';
import { markdownOfPicture, pictureFiles, pictureSrcset } from '@app/contract/blog/pictures';
import type { PostSaved } from '@app/contract/blog/posts';
import { imageMessages } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import type { RenderedPages } from '@app/contract/pages';
import type { Problem } from '@app/contract/problems';
import { users } from '@app/db/schema/accounts';
import { blogPostRevisions } from '@app/db/schema/blog';
import { pictures, pictureUses } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { countRequest, createRateLimit } from '../../server/rate-limits.ts';
import { fileForm, plainPicture } from '../../testing/pictures.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
  userOf,
} from '../../testing/test-app.ts';

const day = 24 * 60 * 60 * 1_000;

const small = () => plainPicture(60, 40).png().toBuffer();

async function upload(browser: TestBrowser, bytes: Uint8Array, alt?: string): Promise<Response> {
  const body = fileForm(bytes);
  if (alt !== undefined) body.set('alt', alt);
  return browser.request('POST', '/api/posts/pictures', { body });
}

async function uploaded(browser: TestBrowser, bytes?: Uint8Array, alt = ''): Promise<Picture> {
  const response = await upload(browser, bytes ?? (await small()), alt);
  expect(response.status).toBe(201);
  return (await response.json()) as Picture;
}

const folders = ({ dataDir }: Pick<TestApp, 'dataDir'>): string[] => {
  const folder = join(dataDir, 'uploads/pictures');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const rows = ({ deps }: TestApp) => deps.db.select().from(pictures).all();

async function listOf(browser: TestBrowser, query = ''): Promise<PictureList> {
  return (await (await browser.get(`/api/posts/pictures${query}`)).json()) as PictureList;
}

async function savePost(browser: TestBrowser, more: object): Promise<PostSaved['post']> {
  const response = await browser.post('/api/posts', {
    title: 'Title',
    slug: 'slug',
    content: 'Text',
    ...more,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as PostSaved).post;
}

test('stores a picture as AVIF and WebP and serves it for a year', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const photo = await plainPicture(1_200, 800).jpeg().toBuffer();
  const picture = await uploaded(ann, photo, '  A red wall  ');
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
      'content-security-policy': "sandbox; default-src 'none'",
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
      await sharp([await small(), await plainPicture(60, 40, '#00f').png().toBuffer()], {
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
  expect([rows(testApp), folders(testApp)]).toEqual([[], []]);
});

test('refuses visitors, members of a team site, and long descriptions', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  expect((await upload(testApp.browser(), await small())).status).toBe(401);
  const ann = await signedInBrowser(testApp);
  expect((await upload(ann, await small())).status).toBe(403);
  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  expect((await upload(ann, await small(), 'a'.repeat(501))).status).toBe(422);
  expect((await upload(ann, await small(), 'a'.repeat(500))).status).toBe(201);
  expect(folders(testApp)).toHaveLength(1);
});

test('checks the session again when it stores the picture', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { refuseFull } = testApp.deps.pictures;
  testApp.deps.pictures.refuseFull = (user) => {
    testApp.deps.db.run('delete from sessions');
    return refuseFull(user);
  };
  expect((await upload(ann, await small())).status).toBe(401);
  expect([rows(testApp), folders(testApp)]).toEqual([[], []]);
});

test('limits the number, the bytes and the rate of an account', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const { id: userId = '' } = (await userOf(ann)) ?? {};
  const fill = (id: string, bytes: number) => ({
    ...{ id, userId, width: 1, height: 1, bytes, alt: '', createdAt: 1, unusedSince: 1 },
  });
  deps.db.insert(pictures).values(fill('large', 524_288_000)).run();
  const full = await upload(ann, await small());
  expect([full.status, ((await full.json()) as Problem).code]).toEqual([403, 'quota_exceeded']);
  expect((await upload(bob, await small())).status).toBe(201);

  deps.db.delete(pictures).where(eq(pictures.userId, userId)).run();
  deps.db
    .insert(pictures)
    .values(Array.from({ length: 999 }, (_, index) => fill(`p${index}`, 1)))
    .run();
  expect((await upload(ann, await small())).status).toBe(201);
  expect((await upload(ann, await small())).status).toBe(403);
  deps.db.update(users).set({ role: 'staff' }).where(eq(users.id, userId)).run();
  expect((await upload(ann, await small())).status).toBe(201);

  const limit = createRateLimit(deps, { name: 'pictures', max: 200, seconds: 3_600 });
  for (let i = 0; i < 200; i += 1) await countRequest(deps, limit, userId);
  const often = await upload(ann, await small());
  expect([often.status, often.headers.has('Retry-After')]).toEqual([429, true]);
});

test('answers 503 while many images are processed', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  testApp.deps.pictures.isBusy = () => true;
  const response = await upload(ann, await small());
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
});

test('leaves no files behind when the row cannot be stored', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  testApp.deps.db.run(
    `create trigger broken before insert on pictures begin select raise(abort, 'no'); end`,
  );
  expect((await upload(ann, await small())).status).toBe(500);
  expect(folders(testApp)).toEqual([]);
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
  const newest = await uploaded(ann);

  const first = await listOf(ann);
  expect(first.pictures.map(({ id }) => id).slice(0, 2)).toEqual([newest.id, 'p29']);
  const second = await listOf(ann, `?cursor=${first.nextCursor}`);
  expect([first.pictures.length, second.pictures.length, second.nextCursor]).toEqual([24, 7, null]);
  expect((await listOf(bob)).pictures).toEqual([]);
  expect((await ann.get('/api/posts/pictures?cursor=x')).status).toBe(400);
  expect((await testApp.browser().get('/api/posts/pictures')).status).toBe(401);

  const path = `/api/posts/pictures/${newest.id}`;
  expect((await bob.send('PATCH', path, { alt: 'Bob' })).status).toBe(404);
  expect((await ann.send('PATCH', path, { alt: 'A wall' })).status).toBe(200);
  expect((await listOf(ann)).pictures[0]).toMatchObject({ alt: 'A wall' });
});

test('finds pictures by their descriptions', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  await uploaded(ann, undefined, 'A red valve');
  await uploaded(ann, undefined, '100 % copper');
  const found = async (query: string) =>
    (await listOf(ann, `?q=${encodeURIComponent(query)}`)).pictures.map(({ alt }) => alt);
  expect(await found(' VALVE ')).toEqual(['A red valve']);
  expect(await found('0 %')).toEqual(['100 % copper']);
  expect(await found('%r')).toEqual([]);
  expect(await found('')).toHaveLength(2);
});

test('deletes a picture that is not used, into the trash', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const picture = await uploaded(ann);
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
  expect([rows(testApp), folders(testApp)]).toEqual([[], []]);
  expect((await ann.get(picture.path)).status).toBe(404);
  const today = new Date(testApp.clock.now()).toISOString().slice(0, 10);
  expect(readdirSync(join(testApp.dataDir, 'trash', today, 'pictures'))).toEqual([picture.id]);
  expect((await ann.request('DELETE', path)).status).toBe(404);
});

test('the page says where pictures are used, as far as their owner may know', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const pageOf = async (browser: TestBrowser, query = '') => {
    const html = await (await browser.get(`/blog/pictures${query}`)).text();
    // The renderer of tests writes the page's data.
    return JSON.parse(/<pre>(.*)<\/pre>/.exec(html)?.[1] ?? '') as RenderedPages['pictures'];
  };
  const uses = async () => (await pageOf(ann)).pictures[0]?.uses;
  const picture = await uploaded(ann, undefined, 'A valve');
  expect(await pageOf(ann)).toEqual({
    kind: 'pictures',
    pictures: [{ ...picture, uses: [] }],
    ...{ query: '', isOlder: false, nextCursor: null },
  });
  expect(await pageOf(ann, '?q=+wall')).toMatchObject({ pictures: [], query: 'wall' });

  const content = `![](${picture.path})`;
  const post = await savePost(ann, { title: 'First', content });
  const inPost = { in: 'post', title: 'First', slug: 'slug' };
  expect(await uses()).toEqual([{ ...inPost, isOld: false }]);
  await ann.send('PATCH', `/api/posts/${post.id}`, { content: 'No picture' });
  expect(await uses()).toEqual([{ ...inPost, isOld: true }]);
  const fields = { title: 'Typed', slug: '', excerpt: '', content };
  const store = (id: string) => ann.send('PUT', `/api/posts/drafts/${id}`, fields);
  expect((await store(post.id)).status).toBe(200);
  const unsaved = { in: 'unsaved', title: 'Typed' };
  expect(await uses()).toEqual([
    { ...inPost, isOld: true },
    { ...unsaved, path: '/blog/editor/slug' },
  ]);
  await ann.request('DELETE', `/api/posts/drafts/${post.id}`);
  await ann.request('DELETE', `/api/posts/${post.id}`);
  expect(await uses()).toEqual([{ in: 'trash', title: 'First' }]);
  await ann.request('POST', `/api/posts/${post.id}/delete-forever`);

  const id = '0190a7c4-0000-7000-8000-000000000000';
  expect((await store(id)).status).toBe(200);
  expect(await uses()).toEqual([{ ...unsaved, path: `/blog/editor/${id}` }]);
  await savePost(bob, { title: 'Secret', slug: 'one', content });
  await savePost(bob, { title: 'Secret', slug: 'two', content });
  expect(await uses()).toEqual([{ ...unsaved, path: `/blog/editor/${id}` }, { in: 'hidden' }]);
  expect((await pageOf(bob)).pictures).toEqual([]);
});

test('the page is for writers', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const visitor = await testApp.browser().get('/blog/pictures');
  expect(visitor.headers.get('Location')).toMatch(/^\/auth\?.*pictures/);
  const ann = await signedInBrowser(testApp);
  expect((await ann.get('/blog/pictures')).headers.get('Location')).toBe('/blog');
  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  expect((await ann.get('/blog/pictures?cursor=x')).headers.get('Location')).toBe('/blog/pictures');
});

test('forms without scripts upload and delete', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const form = async (path: string, body: FormData | URLSearchParams) => {
    const response = await ann.request('POST', `/api/posts/pictures${path}`, { body });
    return response.headers.get('Location');
  };
  expect(await form('/upload', fileForm(await small()))).toBe('/blog/pictures#uploaded');
  const [picture] = (await listOf(ann)).pictures;
  expect(await form('/upload', fileForm(Buffer.from('text')))).toBe('/blog/pictures#unreadable');
  const remove = () => form(`/${picture?.id}/delete`, new URLSearchParams());
  const post = await savePost(ann, { coverImage: picture?.path });
  expect(await remove()).toBe('/blog/pictures#in-use');
  await ann.request('DELETE', `/api/posts/${post.id}`);
  await ann.request('POST', `/api/posts/${post.id}/delete-forever`);
  expect(await remove()).toBe('/blog/pictures#deleted');
  expect(await remove()).toBe('/blog/pictures#failed');
});

test('serves nothing else from the folder', async () => {
  await using testApp = await makeTestApp();
  const { id } = await uploaded(await signedInBrowser(testApp));
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
  const { path } = await uploaded(ann);
  expect((await savePost(ann, { coverImage: path })).coverImage).toBe(path);
  for (const coverImage of ['/pictures/x.webp', '/etc', `${path}?x`, `//host${path}`]) {
    const response = await ann.post('/api/posts', { title: 'T', content: 'T', coverImage });
    expect(response.status, coverImage).toBe(422);
  }
});

test('a saved picture becomes responsive', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const picture = await uploaded(ann, await plainPicture(1_000, 500).png().toBuffer());
  const content = markdownOfPicture(picture.path, 'Alt');
  const { id } = await savePost(ann, { content, published: true });
  const body = await testApp.deps.bodies.ofPost(id);
  const html = body && 'html' in body ? body.html : '';
  expect(html).toContain(`srcset="${pictureSrcset(picture, 'avif')}"`);
  expect(html).toContain(`src="${picture.path}"`);
  expect(html).toContain('alt="Alt" width="1000" height="500" loading="lazy" decoding="async"');
});

test('removes a picture 30 days after its last use', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps, clock } = testApp;
  const { sweep } = deps.pictures;
  const ann = await signedInBrowser(testApp);
  const inPost = await uploaded(ann);
  const asCover = await uploaded(ann);
  const inDraft = await uploaded(ann);
  const unused = await uploaded(ann);
  const left = async () => {
    await sweep();
    const ids = folders(testApp).sort();
    expect(
      rows(testApp)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    return ids;
  };
  const ids = (...all: Picture[]) => all.map(({ id }) => id).sort();

  const content = `Text ![](${inPost.path})`;
  const post = await savePost(ann, { content, coverImage: asCover.path });
  const draft = await ann.send('PUT', `/api/posts/drafts/${post.id}`, {
    ...{ title: 'Title', slug: 'slug', excerpt: '', content: `![](${inDraft.path})` },
  });
  expect(draft.status).toBe(200);
  clock.move(29 * day);
  expect(await left()).toEqual(ids(inPost, asCover, inDraft, unused));
  clock.move(day);
  expect(await left()).toEqual(ids(inPost, asCover, inDraft));
  expect((await listOf(await signInAgain(testApp))).pictures.map(({ isUsed }) => isUsed)).toEqual([
    true,
    true,
    true,
  ]);
  expect((await testApp.browser().get(unused.path)).status).toBe(404);

  // The first revision still has the picture, and so has the post in the trash.
  const again = await signInAgain(testApp);
  await again.send('PATCH', `/api/posts/${post.id}`, { content: 'No picture', coverImage: null });
  await again.request('DELETE', `/api/posts/drafts/${post.id}`);
  clock.move(40 * day);
  expect(await left()).toEqual(ids(inPost, asCover, inDraft));
  clock.move(30 * day);
  expect(await left()).toEqual(ids(inPost, asCover));

  deps.db.delete(blogPostRevisions).where(eq(blogPostRevisions.version, 1)).run();
  expect(await left()).toEqual(ids(inPost, asCover));
  clock.move(30 * day - 1);
  expect(await left()).toEqual(ids(inPost, asCover));
  clock.move(1);
  expect(await left()).toEqual([]);
  expect(deps.db.select().from(pictureUses).all()).toEqual([]);
});

const signInAgain = async (testApp: TestApp): Promise<TestBrowser> => {
  const browser = testApp.browser();
  await browser.post('/api/auth/sign-in', {
    email: 'ann@example.com',
    password: 'correct horse',
  });
  return browser;
};

test('removes files that a crash has left', async () => {
  await using testApp = await makeTestApp();
  const { id } = await uploaded(await signedInBrowser(testApp));
  const left = 'f'.repeat(24);
  mkdirSync(join(testApp.dataDir, 'uploads/pictures', left));
  writeFileSync(join(testApp.dataDir, 'uploads/pictures', left, '.new-60x40.webp'), 'half');
  await testApp.deps.pictures.sweep();
  expect(folders(testApp)).toEqual([id]);
});

test('the sweep runs few queries in a turn of the event loop, however many pictures there are', async () => {
  await using testApp = await makeTestApp();
  const { db, pictures: stored } = testApp.deps;
  const ids = Array.from({ length: 2_000 }, (_, index) => index.toString(16).padStart(24, '0'));
  const row = { width: 60, height: 40, bytes: 100, alt: '', createdAt: 0, unusedSince: null };
  db.transaction((tx) => {
    for (const id of ids)
      tx.insert(pictures)
        .values({ id, ...row })
        .run();
  });
  for (const id of ids) {
    mkdirSync(join(testApp.dataDir, 'uploads/pictures', id), { recursive: true });
  }
  const queries = vi.spyOn(db.$client, 'prepare');
  const inTurns: number[] = [];
  let turn = setImmediate(function count() {
    inTurns.push(queries.mock.calls.length);
    queries.mockClear();
    turn = setImmediate(count);
  });
  await stored.sweep();
  clearImmediate(turn);
  expect(Math.max(...inTurns, queries.mock.calls.length)).toBeLessThan(20);
  expect(folders(testApp)).toHaveLength(ids.length);
});
