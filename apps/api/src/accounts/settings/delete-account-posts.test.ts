import type { Picture } from '@app/contract/blog/picture-replies';
import type { Post } from '@app/contract/blog/posts';
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
import { everything, logChange } from '../../publishing/log.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import {
  email,
  idOf,
  requestDeletion,
  rowsAbout,
  twoWriters,
} from '../../testing/account-deletion.ts';
import { makeDataDir, shownAt } from '../../testing/blog.ts';
import { fileForm, plainPicture } from '../../testing/pictures.ts';
import { publishedPages, slugsOn, wantedPages } from '../../testing/site.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { deleteAccount, finishDeletions } from './delete-account.ts';

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

  const response = await requestDeletion(ann, 'keep');

  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(rowsAbout(testApp, id, email, 'ann@new.example', 'Ann Miller')).toEqual([]);
  const posts = await db.select().from(blogPosts);
  expect(posts.map(({ slug, authorId }) => [slug, authorId !== null]).sort()).toEqual([
    ['after', false],
    ['of-ann', false],
    ['of-bob', true],
  ]);
  await publisher.settled();
  expect(publisher.depth()).toBe(0);
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

  expect((await requestDeletion(ann, 'delete')).status).toBe(204);

  const slugs = (await testApp.deps.db.select().from(blogPosts)).map(({ slug }) => slug);
  expect(slugs).toEqual(['of-bob']);
  for (const slug of ['of-ann', 'before', 'after', 'secret']) {
    expect(await shownAt(testApp, `/blog/${slug}`)).toBeNull();
  }
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('deletes an account that unpublished another author’s post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await bob.post('/api/posts', { title: 'Of Bob', content: 'Text', published: true });
  const { id } = (await (await bob.get('/api/posts/of-bob')).json()) as { id: string };
  await ann.send('PATCH', `/api/posts/${id}`, { published: false });

  expect((await requestDeletion(ann, 'delete')).status).toBe(204);

  expect((await bob.get('/api/posts/of-bob')).status).toBe(200);
});

test('shows the sample posts after the last author is deleted', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  await ann.post('/api/posts', { title: 'Only one', content: 'Text', published: true });
  await requestDeletion(ann, 'delete');
  await testApp.deps.publisher.settled();
  expect(await slugsOn(testApp, '/blog')).toEqual(['newer-sample', 'older-sample']);
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

/** A stopped site with so many posts of Ann that updating them takes several batches. */
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
  logChange(db, testApp.clock.now(), [everything]);
  await testApp.deps.publisher.run();
  await testApp.deps.publisher.settled();
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
  'updates the pages of many posts in batches (%s), while others publish',
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
    expect(deps.publisher.depth()).toBeGreaterThan(0);
    await bob.post('/api/posts', { title: 'Of Bob', content: 'Text', published: true });

    await until(() => deps.publisher.depth() === 0);
    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
    expect(await deps.db.select().from(blogPosts)).toHaveLength(posts === 'keep' ? 151 : 1);
  },
);

test('completes a deletion at the next start after a crash', async () => {
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
      wake: () => undefined,
    };
    const user = await signedInAnn(testApp);
    await testApp.deps.publisher.stop();
    await deleteAccount({ ...testApp.deps, publisher }, user, { posts: 'keep' });
    expect(publisher.depth()).toBeGreaterThan(1);
    expect(JSON.stringify(await publishedPages(testApp))).toContain('Ann Miller');
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  expect(testApp.deps.publisher.depth()).toBe(0);
});

test('after a failure the account is closed, and the cleanup deletes the rest', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann } = await twoWriters(testApp);
  const { deps } = testApp;
  const id = await idOf(testApp, email);
  const post = (await (await ann.get('/api/posts/of-ann')).json()) as Post;
  await ann.post(`/api/posts/${post.id}/draft-links`, { days: 7 });
  const unsaved = { content: 'Unsaved' };
  await ann.send('PUT', `/api/posts/drafts/${post.id}`, { ...unsaved, baseVersion: 1 });
  const client = deps.db.$client;
  client.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON blog_posts BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const logged = vi.spyOn(deps.log, 'error').mockReturnValue();

  expect((await requestDeletion(ann, 'keep')).status).toBe(204);

  expect(logged).toHaveBeenCalledOnce();
  expect(rowsAbout(testApp, 'Ann Miller')).toEqual([]);
  expect(new Set(rowsAbout(testApp, email))).toEqual(new Set(['blog_posts']));
  expect(await (await ann.get('/api/auth/session')).json()).toEqual({ user: null });
  const signIn = await ann.post('/api/auth/sign-in', { email, password: 'correct horse' });
  expect(signIn.status).toBe(401);
  const again = await signedInBrowser(testApp, email);
  expect(await idOf(testApp, email)).not.toBe(id);

  client.exec('DROP TRIGGER full');
  await finishDeletions(deps);
  expect(rowsAbout(testApp, id)).toEqual([]);
  expect(client.prepare('SELECT * FROM account_deletions').all()).toEqual([]);
  expect((await again.get('/api/auth/session')).status).toBe(200);
  await until(() => deps.publisher.depth() === 0);
  await deps.publisher.settled();
  expect(JSON.stringify(await publishedPages(testApp))).not.toContain('Ann Miller');
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});

test('publishes what a deletion changed before it failed', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann } = await twoWriters(testApp);
  const { deps } = testApp;
  deps.db.$client.exec(
    "CREATE TRIGGER full BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const logged = vi.spyOn(deps.log, 'error').mockReturnValue();

  expect((await requestDeletion(ann, 'delete')).status).toBe(204);

  expect(logged).toHaveBeenCalledOnce();
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  for (const slug of ['of-ann', 'after']) {
    expect(await shownAt(testApp, `/blog/${slug}`)).toBeNull();
  }
});

test('deletes pictures, except those that a remaining post shows', async () => {
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

  await requestDeletion(ann);

  const statuses = [shown, cover, inDraft, unused].map(
    async ({ path }) => (await testApp.browser().get(path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
  const rows = testApp.deps.db.select().from(pictures).all();
  expect(rows.map(({ userId }) => userId)).toEqual([null, null]);
});

describe('concurrent requests', () => {
  test('of 50 deletions, one succeeds, and one email is sent', async () => {
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
    await until(() => testApp.deps.publisher.depth() === 0);
    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  });

  test('a deletion includes posts that are written at the same time', async () => {
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
    await until(() => testApp.deps.publisher.depth() === 0);
    expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
  });
});
