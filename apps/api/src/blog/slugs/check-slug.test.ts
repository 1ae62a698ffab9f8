import type { PostSaved, SlugChecked } from '@app/contract/blog/posts';
import type { Problem } from '@app/contract/problems';
import { expect, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';

async function create(browser: TestBrowser, slug: string, more: object = {}) {
  const response = await browser.post('/api/posts', { title: 'T', content: 'Text', slug, ...more });
  return ((await response.json()) as PostSaved).post;
}

const check = (browser: TestBrowser, slug: string, post?: string) =>
  browser.get(`/api/posts/slugs/${slug}${post === undefined ? '' : `?post=${post}`}`);

async function stateOf(browser: TestBrowser, slug: string, post?: string): Promise<string> {
  const response = await check(browser, slug, post);
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as SlugChecked).state;
}

test('tells whether a save with the slug would succeed, and stores nothing', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await create(ann, 'published', { published: true });
  await create(ann, 'of-ann');
  const trashed = await create(ann, 'in-trash');
  await ann.send('DELETE', `/api/posts/${trashed.id}`, {});
  const renamed = await create(ann, 'former');
  await ann.send('PATCH', `/api/posts/${renamed.id}`, { slug: 'new' });
  const before = allRows(testApp.deps.db);

  const states = {
    unused: 'free',
    'in-trash': 'taken',
    published: 'taken',
    former: 'taken',
    // A save reveals this, too.
    'of-ann': 'taken',
    search: 'reserved',
    slugs: 'free',
    revisions: 'free',
    Upper: 'invalid',
    'two--hyphens': 'invalid',
    '%2Fslash': 'invalid',
    ['x'.repeat(200)]: 'invalid',
  };
  for (const [slug, state] of Object.entries(states)) {
    expect([slug, await stateOf(bob, slug)]).toEqual([slug, state]);
  }
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test('a post can use its own slug and its old ones', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const { id } = await create(ann, 'before', { published: true });
  await ann.send('PATCH', `/api/posts/${id}`, { slug: 'after' });
  expect(await stateOf(ann, 'after', id)).toBe('free');
  expect(await stateOf(ann, 'before', id)).toBe('free');
  expect(await stateOf(ann, 'after')).toBe('taken');
  expect(await stateOf(ann, 'before')).toBe('taken');
});

test('answers only writers, and only about posts that they can change', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const { id } = await create(ann, 'of-ann');
  expect((await check(bob, 'of-ann', id)).status).toBe(404);
  expect((await check(bob, 'of-ann', 'none')).status).toBe(404);
  await ann.send('PATCH', `/api/posts/${id}`, { published: true });
  expect((await check(bob, 'of-ann', id)).status).toBe(403);
  const visitor = await check(testApp.browser(), 'of-ann');
  expect([visitor.status, ((await visitor.json()) as Problem).code]).toEqual([
    401,
    'not_signed_in',
  ]);
});

test('rejects members with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  expect((await check(await signedInBrowser(testApp), 'unused')).status).toBe(403);
});

test('limits the checks of an account per minute', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  for (let sent = 0; sent < 300; sent += 1) await stateOf(ann, 'unused');
  const refused = await check(ann, 'unused');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(await stateOf(bob, 'unused')).toBe('free');
  testApp.clock.move(60_000);
  expect(await stateOf(ann, 'unused')).toBe('free');
});
