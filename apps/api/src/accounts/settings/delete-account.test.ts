import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import { accountMessages } from '@app/contract/accounts/messages';
import type { Picture } from '@app/contract/blog/picture-replies';
import type { PostSaved } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import {
  identities,
  oauthAttempts,
  pendingIdentityLinks,
  profiles,
  users,
} from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { pictures } from '@app/db/schema/pictures';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import { makeDataDir, shownAt, unlikeSiblings } from '../../testing/blog.ts';
import { fileForm, plainPicture, putAvatar } from '../../testing/pictures.ts';
import { publishedPages, wantedPages } from '../../testing/site.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  publicUrl,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { deleteAccount } from './delete-account.ts';

const email = 'ann@example.com';

const remove = (browser: TestBrowser, posts: unknown = 'keep') =>
  browser.send('DELETE', '/api/account', { posts });

/** Ann has a name, a published post, a renamed one and a draft; Bob has a post. */
async function twoWriters(testApp: TestApp) {
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await testApp.deps.db
    .update(profiles)
    .set({ fullName: 'Ann Miller', username: 'ann', usernameKey: 'ann' })
    .where(eq(profiles.id, await idOf(testApp, email)));
  const write = async (browser: TestBrowser, title: string, published = true) => {
    const response = await browser.post('/api/posts', { title, content: 'Text', published });
    return ((await response.json()) as PostSaved).post;
  };
  await write(ann, 'Of Ann');
  const renamed = await write(ann, 'Before');
  await ann.send('PATCH', `/api/posts/${renamed.id}`, { slug: 'after' });
  await write(ann, 'Secret', false);
  await write(bob, 'Of Bob');
  return { ann, bob };
}

const idOf = async ({ deps }: TestApp, address: string): Promise<string> =>
  (await deps.db.select().from(users).where(eq(users.email, address)))[0]?.id ?? '';

/** All rows except those that belong to no account. */
function rowsAbout({ deps }: TestApp, ...traces: string[]): string[] {
  const { outbox: _, rate_limits: __, ...tables } = allRows(deps.db);
  return Object.entries(tables).flatMap(([name, rows]) =>
    rows
      .filter((row) => traces.some((trace) => JSON.stringify(row).includes(trace)))
      .map(() => name),
  );
}

test('keeps published posts without the name and deletes everything else', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann } = await twoWriters(testApp);
  const { db, clock, publisher } = testApp.deps;
  const id = await idOf(testApp, email);
  const common = { userId: id, expiresAt: clock.now() + 1_000 };
  await db
    .insert(identities)
    .values({ provider: 'google', subject: 'g', userId: id, createdAt: 0 });
  await db
    .insert(oauthAttempts)
    .values({ ...common, stateHash: 's', codeVerifier: 'v', nonce: 'n' });
  await db
    .insert(pendingIdentityLinks)
    .values({ ...common, tokenHash: 't', provider: 'google', subject: 'g' });
  await ann.post('/api/auth/email', { email: 'ann@new.example' });
  expect(JSON.stringify(await publishedPages(testApp))).toContain('Ann Miller');

  const response = await remove(ann, 'keep');

  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(rowsAbout(testApp, id, email, 'ann@new.example', 'Ann Miller')).toEqual([]);
  const posts = await db.select().from(blogPosts);
  expect(posts.map(({ slug, authorId }) => [slug, authorId !== null]).sort()).toEqual([
    ['after', false],
    ['of-ann', false],
    ['of-bob', true],
  ]);
  await publisher.settled();
  expect(await publisher.depth()).toBe(0);
  const pages = await publishedPages(testApp);
  expect(JSON.stringify(pages)).not.toContain('Ann Miller');
  expect(pages).toEqual(await wantedPages(testApp));
  expect(await shownAt(testApp, '/blog/of-ann')).toMatchObject({
    post: { authorId: 'system', author: { fullName: null, avatarUrl: null } },
  });
  expect(await shownAt(testApp, '/blog/before')).toEqual({ kind: 'moved', to: 'after' });
});

test('deletes published posts and their pages on request', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann } = await twoWriters(testApp);

  expect((await remove(ann, 'delete')).status).toBe(204);

  const slugs = (await testApp.deps.db.select().from(blogPosts)).map(({ slug }) => slug);
  expect(slugs).toEqual(['of-bob']);
  for (const slug of ['of-ann', 'before', 'after', 'secret']) {
    expect(await shownAt(testApp, `/blog/${slug}`)).toBeNull();
  }
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await unlikeSiblings(testApp)).toEqual([]);
});

test('deletes an account that unpublished another author’s post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await bob.post('/api/posts', { title: 'Of Bob', content: 'Text', published: true });
  const { id } = (await (await bob.get('/api/posts/of-bob')).json()) as { id: string };
  await ann.send('PATCH', `/api/posts/${id}`, { published: false });

  expect((await remove(ann, 'delete')).status).toBe(204);

  expect((await bob.get('/api/posts/of-bob')).status).toBe(200);
});

test('shows the sample posts after the last author', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  await ann.post('/api/posts', { title: 'Only one', content: 'Text', published: true });
  await remove(ann, 'delete');
  expect((await testApp.deps.publisher.pages.all()).get('/blog')).toContain('samples:');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

/** A stopped site. Updating Ann's posts takes several jobs. */
async function siteWithManyPosts(count: number): Promise<string> {
  const dataDir = makeDataDir();
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  const { db } = testApp.deps;
  await db.insert(users).values({ id: 'ann', email, createdAt: 0 });
  await db.insert(profiles).values({ id: 'ann', fullName: 'Ann Miller', updatedAt: 0 });
  const post = (n: number) => ({
    id: `post-${n}`,
    slug: `post-${n}`,
    title: `Post ${n}`,
    excerpt: '',
    content: 'Text',
    published: true,
    authorId: 'ann',
    authorEmail: email,
    createdAt: n,
    updatedAt: n,
  });
  await db.insert(blogPosts).values(Array.from({ length: count }, (_, n) => post(n)));
  return dataDir;
}

async function signedInAnn({ deps: { sessions } }: TestApp): Promise<SignedIn> {
  const user = await sessions.find(
    (await sessions.start({ userId: 'ann' }, { device: '' }))?.sessionId ?? '',
  );
  if (!user) throw new Error('ann is not signed in');
  return user;
}

test.each(['keep', 'delete'] as const)(
  'updates the pages of many posts in jobs (%s), while others publish',
  async (posts) => {
    await using testApp = await makeTestApp({
      publishes: true,
      dataDir: await siteWithManyPosts(150),
    });
    const { deps } = testApp;
    expect(await shownAt(testApp, '/blog/post-149')).toMatchObject({
      post: { author: { fullName: 'Ann Miller' } },
    });
    const bob = await signedInBrowser(testApp, 'bob@example.com');

    expect(await deleteAccount(deps, await signedInAnn(testApp), { posts })).toBe('deleted');
    expect(await deps.publisher.depth()).toBeGreaterThan(0);
    await bob.post('/api/posts', { title: 'Of Bob', content: 'Text', published: true });

    await until(async () => (await deps.publisher.depth()) === 0);
    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
    expect(await deps.db.select().from(blogPosts)).toHaveLength(posts === 'keep' ? 151 : 1);
  },
);

test('a start completes a deletion after a crash', async () => {
  const dataDir = await siteWithManyPosts(70);
  {
    await using testApp = await makeTestApp({ publishes: true, dataDir });
    const publisher: Publisher = {
      ...testApp.deps.publisher,
      publish: async () => ({
        state: 'pending',
        reason: 'The process is gone.',
        pages: [],
        written: [],
        removed: [],
      }),
      publishInBackground: async () => false,
    };
    const user = await signedInAnn(testApp);
    await testApp.deps.publisher.stop();
    await deleteAccount({ ...testApp.deps, publisher }, user, { posts: 'keep' });
    expect(await publisher.depth()).toBeGreaterThan(1);
    expect(JSON.stringify(await publishedPages(testApp))).toContain('Ann Miller');
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(await testApp.deps.publisher.depth()).toBe(0);
});

test('deletes only the user’s own avatars', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const urls: string[] = [];
  for (const browser of [ann, bob]) {
    const saved = await putAvatar(browser, await plainPicture().png().toBuffer());
    urls.push(((await saved.json()) as AvatarSaved).avatarUrl);
  }
  await putAvatar(ann, await plainPicture().png().toBuffer());
  await testApp.deps.avatars.settled();
  const folders = () => readdirSync(join(testApp.dataDir, 'uploads', 'avatars'));
  const trash = () => readdirSync(join(testApp.dataDir, 'trash'), { recursive: true }).join();
  expect(folders()).toHaveLength(2);
  const id = await idOf(testApp, email);
  expect(trash()).toContain(id);

  await remove(ann);

  expect(folders()).toEqual([await idOf(testApp, 'bob@example.com')]);
  expect(trash()).not.toContain(id);
  const statuses = urls.map(async (url) => (await testApp.browser().get(url)).status);
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});

test('deletes pictures, but none that a remaining post shows', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  const upload = async (): Promise<Picture> => {
    const body = fileForm(await plainPicture(30, 20).png().toBuffer());
    const response = await ann.request('POST', '/api/posts/pictures', { body });
    return (await response.json()) as Picture;
  };
  const [shown, cover, inDraft, unused] = [
    await upload(),
    await upload(),
    await upload(),
    await upload(),
  ];
  const post = { title: 'Title', content: `![](${shown.path})`, coverImage: cover.path };
  expect((await ann.post('/api/posts', { ...post, published: true })).status).toBe(201);
  const draft = { content: `![](${inDraft.path})` };
  const id = '0199c0de-0000-4000-8000-000000000000';
  expect((await ann.send('PUT', `/api/posts/drafts/${id}`, draft)).status).toBe(200);

  await remove(ann);

  const statuses = [shown, cover, inDraft, unused].map(
    async ({ path }) => (await testApp.browser().get(path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
  const rows = testApp.deps.db.select().from(pictures).all();
  expect(rows.map(({ userId }) => userId)).toEqual([null, null]);
});

test('logs avatars that cannot be deleted, and deletes the rest', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const logged = vi.spyOn(testApp.deps.log, 'error');
  testApp.deps.avatars.removeAll = () => Promise.reject(new Error('the disk is read-only'));
  expect((await remove(ann)).status).toBe(204);
  expect(await testApp.deps.db.select().from(users)).toEqual([]);
  expect(logged).toHaveBeenCalledOnce();
});

test('clears the cookies and ends all sessions', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const phone = testApp.browser();
  await phone.post('/api/auth/sign-in', { email, password: 'correct horse' });

  await remove(ann);

  expect([...ann.cookies.keys()]).toEqual([]);
  expect(await (await phone.get('/api/auth/session')).json()).toEqual({ user: null });
  const again = await phone.post('/api/auth/sign-in', { email, password: 'correct horse' });
  expect(again.status).toBe(401);
});

test.each([
  ['keep', 'stay on the blog, without your name'],
  ['delete', 'all your posts are deleted'],
])('emails what was deleted and what remains (%s)', async (posts, text) => {
  await using testApp = await makeTestApp({ renderEmail });
  const ann = await signedInBrowser(testApp, email);
  await testApp.browser().post('/api/newsletter', { email });
  await remove(ann, posts);
  await testApp.deps.outbox.drain();

  const sentEmail = testApp.emails.sent.find(({ kind }) => kind === 'account-deleted');
  expect(sentEmail?.to).toBe(email);
  expect(sentEmail?.text.replace(/\s+/g, ' ')).toContain(text);
  expect(rowsAbout(testApp, email)).toEqual(['newsletter_subscriptions']);
});

test('the email can sign up again, with nothing of the old account', async () => {
  await using testApp = await makeTestApp();
  const { ann } = await twoWriters(testApp);
  const before = await idOf(testApp, email);
  await remove(ann);

  const again = await signedInBrowser(testApp, email);

  expect(await idOf(testApp, email)).not.toBe(before);
  expect(await (await again.get('/api/auth/session')).json()).toMatchObject({
    user: { username: null, fullName: null },
  });
  const { posts } = (await (await again.get('/api/posts?drafts=true')).json()) as {
    posts: { slug: string }[];
  };
  expect(posts.map(({ slug }) => slug).sort()).toEqual(['after', 'of-ann', 'of-bob']);
});

test('requires a recent sign-in', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  testApp.clock.move(limits.recentSignIn);
  const rows = allRows(testApp.deps.db);
  const response = await remove(ann);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'sign_in_again',
    detail: accountMessages.reauthentication.description,
  });
  expect(allRows(testApp.deps.db)).toEqual(rows);
});

test.each([{}, { posts: '' }, { posts: 'all' }, { posts: true }, { posts: 'keep', userId: 'bob' }])(
  'requires a choice for posts: rejects %j',
  async (body) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    const rows = allRows(testApp.deps.db);
    expect((await ann.send('DELETE', '/api/account', body)).status).toBe(422);
    expect(allRows(testApp.deps.db)).toEqual(rows);
  },
);

describe('concurrently', () => {
  test('of 50 deletions one succeeds, and one email is sent', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann } = await twoWriters(testApp);
    const headers = {
      'Content-Type': 'application/json',
      Cookie: `session=${ann.cookies.get('session')}`,
    };
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        testApp.browser().request('DELETE', '/api/account', {
          headers,
          body: JSON.stringify({ posts: n % 2 ? 'keep' : 'delete' }),
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(49).fill(401)]);
    await testApp.deps.outbox.drain();
    expect(testApp.emails.sent.filter(({ kind }) => kind === 'account-deleted')).toHaveLength(1);
    await until(async () => (await testApp.deps.publisher.depth()) === 0);
    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  });

  test('includes posts written meanwhile', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { ann } = await twoWriters(testApp);
    const { db } = testApp.deps;
    const user = await testApp.deps.sessions.find(ann.cookies.get('session') ?? '');
    if (!user) throw new Error('ann is not signed in');
    const draft = (await db.select().from(blogPosts).where(eq(blogPosts.slug, 'secret')))[0];
    const deleting = deleteAccount(testApp.deps, user, { posts: 'delete' });
    const publishing = ann.send('PATCH', `/api/posts/${draft?.id}`, { published: true });
    const writing = ann.post('/api/posts', { title: 'Late', content: 'Text', published: true });
    await Promise.all([deleting, publishing, writing]);

    expect(rowsAbout(testApp, user.userId, email)).toEqual([]);
    await until(async () => (await testApp.deps.publisher.depth()) === 0);
    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  });
});

describe('a form without JavaScript', () => {
  test.each<[string, string, (testApp: TestApp) => void]>([
    ['delete', '/auth#account-deleted', () => undefined],
    ['', '/profile#deletion-invalid', () => undefined],
    ['keep', '/profile#again', ({ clock }) => clock.move(limits.recentSignIn)],
  ])('with %j is redirected to %s', async (posts, page, meanwhile) => {
    await using testApp = await makeTestApp();
    const ann = await signedInBrowser(testApp, email);
    meanwhile(testApp);
    const response = await ann.submit('/api/account/delete', { posts });
    expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
    const isDeleted = page.startsWith('/auth');
    expect(await testApp.deps.db.select().from(users)).toHaveLength(isDeleted ? 0 : 1);
  });
});

test('rejects deletions from other sites', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const response = await ann.request('POST', '/api/account/delete', {
    headers: { Origin: `${publicUrl}.evil.example` },
    body: new URLSearchParams({ posts: 'delete' }),
  });
  expect(response.status).toBe(403);
  expect(await testApp.deps.db.select().from(users)).toHaveLength(1);
});
