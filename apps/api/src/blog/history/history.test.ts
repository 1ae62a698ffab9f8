import { blogMessages } from '@app/contract/blog/messages';
import type { PostSaved } from '@app/contract/blog/posts';
import type { RevisionList, RevisionTexts } from '@app/contract/blog/revision-replies';
import { day } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import type { PageData } from '@app/contract/pages';
import type { Problem } from '@app/contract/problems';
import { blogPostRevisions } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toIso } from '../../clock.ts';
import { passTimeAndPublish } from '../../testing/blog.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  setRole,
  signedInBrowser,
  staffBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

async function create(browser: TestBrowser, more: object = {}) {
  const fields = { title: 'Title', content: 'First.', published: true, ...more };
  const { post } = (await (await browser.post('/api/posts', fields)).json()) as PostSaved;
  const path = `/api/posts/${post.id}`;
  return {
    post,
    revisions: `${path}/revisions`,
    page: `/blog/editor/${post.slug}/history`,
    save: async (change: object, by = browser) => {
      const response = await by.send('PATCH', path, change);
      expect(response.status).toBe(200);
    },
  };
}

async function listOf(browser: TestBrowser, revisions: string): Promise<RevisionList> {
  return (await (await browser.get(revisions)).json()) as RevisionList;
}

async function historyPage(browser: TestBrowser, path: string) {
  const html = await (await browser.get(path)).text();
  const page = JSON.parse(/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? '') as PageData;
  if (page.kind !== 'history') throw new Error(`a page of kind ${page.kind}`);
  return page;
}

const makeStaff = (testApp: TestApp, email: string) => setRole(testApp, email, 'staff');

test('lists who saved what, newest first', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await staffBrowser(testApp, 'bob@example.com');
  const { revisions, save } = await create(ann);
  testApp.clock.move(60_000);
  await save({ title: 'New', content: 'Second.' }, bob);
  await save({ published: false });
  await save({ published: true });
  await save({ content: 'Second.' });

  const list = await listOf(ann, revisions);

  expect(list.nextCursor).toBeNull();
  expect(list.revisions.map(({ version, changed }) => [version, changed])).toEqual([
    [5, []],
    [4, ['published']],
    [3, ['published']],
    [2, ['title', 'content']],
    [1, null],
  ]);
  expect(list.revisions[3]).toEqual({
    version: 2,
    savedAt: new Date(testApp.clock.now()).toISOString(),
    savedBy: 'Bob',
    isYours: false,
    name: null,
    title: 'New',
    slug: 'title',
    published: true,
    scheduledAt: null,
    changed: ['title', 'content'],
  });
  const second = (await (await ann.get(`${revisions}/2`)).json()) as RevisionTexts;
  expect(second.content).toBe('Second.');
});

test('lists when a post was scheduled, rescheduled and unscheduled', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { revisions, page, save } = await create(ann, { published: false });
  const [first, second] = [1, 2].map((days) => toIso(testApp.clock.now() + days * day));
  await save({ scheduledAt: first });
  await save({ content: 'Second.' });
  await save({ scheduledAt: second });
  await save({ scheduledAt: null });
  await save({ title: 'New', scheduledAt: first });
  await passTimeAndPublish(testApp, 2 * day);
  await save({ published: false, scheduledAt: toIso(testApp.clock.now() + day) });

  const { revisions: listed } = await listOf(ann, revisions);
  expect(listed.map(({ changed, scheduledAt }) => [changed, scheduledAt])).toEqual([
    [['published', 'scheduledAt'], toIso(testApp.clock.now() + day)],
    // By its schedule.
    [['published'], null],
    [['title', 'scheduledAt'], first],
    [['scheduledAt'], null],
    [['scheduledAt'], second],
    [['content'], first],
    [['scheduledAt'], first],
    [null, null],
  ]);
  const { revisions: shown } = await historyPage(ann, page);
  expect(shown.map(({ changed }) => changed)).toEqual(listed.map(({ changed }) => changed));
});

test('paginates the list', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { revisions, save, page } = await create(ann);
  for (let saves = 0; saves < 40; saves += 1) await save({ title: `Title ${saves}` });

  const versions: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const list = await listOf(ann, (cursor && `${revisions}?cursor=${cursor}`) || revisions);
    versions.push(...list.revisions.map(({ version }) => version));
    expect(list.revisions.length).toBeLessThanOrEqual(20);
    // The last revision of a page is compared with the first one of the next page.
    expect(list.revisions.every(({ version, changed }) => changed || version === 1)).toBe(true);
    cursor = list.nextCursor;
  }
  expect(versions).toEqual(Array.from({ length: 41 }, (_, index) => 41 - index));
  expect((await ann.get(`${revisions}?cursor=x`)).status).toBe(400);
  expect((await historyPage(ann, `${page}?cursor=21`)).revisions[0]?.version).toBe(20);
});

test('only the author and staff see the history, also of a published post', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const { post, revisions, page, save } = await create(ann, {
    content: 'Secret',
    published: false,
  });
  expect((await bob.get(revisions)).status).toBe(404);
  expect((await bob.get(page)).status).toBe(404);
  await save({ content: 'Public', published: true });

  for (const response of [await bob.get(revisions), await bob.get(`${revisions}/1`)]) {
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      code: 'not_allowed',
      detail: blogMessages.notYours,
    });
  }
  const redirect = await bob.get(page);
  expect(redirect.headers.get('Location')).toBe(`/blog/editor/${post.slug}`);
  makeStaff(testApp, 'bob@example.com');
  expect((await listOf(bob, revisions)).revisions).toHaveLength(2);
});

test('restoring a revision saves its texts as a new revision', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { revisions, post, save } = await create(ann, {
    excerpt: 'Old',
    slug: 'old',
    tags: 'Heating, Cooling',
  });
  await save({ title: 'New', content: 'Second.', excerpt: 'New', slug: 'new', tags: 'Cooling' });
  expect((await listOf(ann, revisions)).revisions[0]?.changed).toContain('tags');

  const response = await ann.post(`${revisions}/1/restore`, { baseVersion: 2 });

  expect(response.status).toBe(200);
  const saved = (await response.json()) as PostSaved;
  expect(saved.post).toMatchObject({
    version: 3,
    title: 'Title',
    content: 'First.',
    excerpt: 'Old',
    slug: 'new',
    tags: [
      { slug: 'heating', name: 'Heating' },
      { slug: 'cooling', name: 'Cooling' },
    ],
    published: true,
  });
  expect(saved.publishing).toMatchObject({ state: 'live', path: '/blog/new' });
  expect((await listOf(ann, revisions)).revisions[0]).toMatchObject({ version: 3, isYours: true });
  expect(post.id).toBe(saved.post.id);
});

test('merges a restored revision with what was saved since, or refuses to', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await staffBrowser(testApp, 'bob@example.com');
  const { revisions, save } = await create(ann, { content: 'First.\n\nEnd.' });
  await save({ content: 'Second.\n\nEnd.' });
  await save({ title: 'By Bob', content: 'Second.\n\nEnd by Bob.' }, bob);

  const merged = await ann.post(`${revisions}/1/restore`, { baseVersion: 2 });
  expect(((await merged.json()) as PostSaved).post).toMatchObject({
    title: 'By Bob',
    content: 'First.\n\nEnd by Bob.',
  });

  await save({ content: 'Third.\n\nEnd.' }, bob);
  const before = allRows(testApp.deps.db);
  const refused = await ann.post(`${revisions}/2/restore`, { baseVersion: 4 });
  expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([
    409,
    'edit_conflict',
  ]);
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test('keeps named revisions, and limits their number and size', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { post, revisions, save } = await create(ann);
  for (let saves = 0; saves < limits.namedRevisions; saves += 1) await save({ title: `${saves}` });
  const name = (version: number, text = `Name ${version}`) =>
    ann.send('PATCH', `${revisions}/${version}`, { name: text });
  for (let version = 1; version <= limits.namedRevisions; version += 1) {
    expect((await name(version)).status).toBe(200);
  }
  const refused = await name(limits.namedRevisions + 1);
  expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([
    403,
    'quota_exceeded',
  ]);
  // Renaming a named revision stays within the limit.
  expect((await name(1, 'Other')).status).toBe(200);

  const { db } = testApp.deps;
  const ofPost = eq(blogPostRevisions.postId, post.id);
  await db.update(blogPostRevisions).set({ bytes: 41_000 }).where(ofPost);
  await save({ title: 'More' });
  const stored = await db.select().from(blogPostRevisions).where(ofPost);
  expect(stored.filter((row) => row.name !== null)).toHaveLength(limits.namedRevisions);
  await name(2, '');
  await db
    .update(blogPostRevisions)
    .set({ bytes: 2_000_000 })
    .where(eq(blogPostRevisions.version, 51));
  expect((await name(51)).status).toBe(403);
});

test('the page compares a revision with the one before, and with the post', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { page, save } = await create(ann, { content: 'The old house.' });
  await save({ content: 'The new house.', published: false });
  await save({ title: 'New <title>' });

  const first = (await historyPage(ann, `${page}?version=1`)).chosen;
  expect([first?.with, first?.other]).toEqual(['before', null]);
  expect(first?.parts).toContainEqual({ part: 'content', html: 'The old house.' });

  const second = (await historyPage(ann, `${page}?version=2`)).chosen;
  expect(second?.other?.version).toBe(1);
  expect(second?.parts?.map(({ part }) => part)).toEqual(['content', 'published']);
  expect(second?.parts?.[0]?.html).toMatch(/^The <del>.*old.*<\/del><ins>.*new.*<\/ins> house\.$/);

  const since = (await historyPage(ann, `${page}?version=2&with=current`)).chosen;
  expect([since?.with, since?.other?.version]).toEqual(['current', 3]);
  expect(since?.parts?.map(({ part }) => part)).toEqual(['title']);
  expect(since?.parts?.[0]?.html).toContain('&lt;');

  // The newest revision is the post itself.
  expect((await historyPage(ann, `${page}?version=3&with=current`)).chosen?.with).toBe('before');
  expect((await historyPage(ann, `${page}?version=99`)).chosen).toBeNull();
});

test('shows the history to writers, at the current slug', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  makeStaff(testApp, 'ann@example.com');
  const { page, revisions, save } = await create(ann);
  await save({ slug: 'moved' });

  expect((await ann.get(`${page}?version=1`)).headers.get('Location')).toBe(
    '/blog/editor/moved/history?version=1',
  );
  expect((await testApp.browser().get(page)).headers.get('Location')).toBe('/blog');
  expect((await bob.get(page)).headers.get('Location')).toBe('/blog');
  expect((await bob.get(revisions)).status).toBe(403);
  expect((await bob.post(`${revisions}/1/restore`, { baseVersion: 2 })).status).toBe(403);
  expect((await ann.get('/blog/editor/none/history')).status).toBe(404);
  expect((await ann.get('/blog/editor/newer-sample/history')).status).toBe(404);
});

test('a deleted post has no history until it is restored', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { post, page, revisions, save } = await create(ann);
  await save({ title: 'New' });
  await ann.send('DELETE', `/api/posts/${post.id}`, {});
  expect((await ann.get(page)).status).toBe(404);
  expect((await ann.get(revisions)).status).toBe(404);
  await ann.post(`/api/posts/${post.id}/restore`, {});

  const { newest, chosen } = await historyPage(ann, `${page}?version=1&with=current`);
  expect([newest, chosen?.other?.version]).toEqual([2, 4]);
  const restored = await ann.post(`${revisions}/1/restore`, { baseVersion: 4 });
  expect(((await restored.json()) as PostSaved).post.title).toBe('Title');
});
