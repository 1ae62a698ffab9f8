import { contentProblems } from '@app/contract/blog/post-content';
import type { PostSaved } from '@app/contract/blog/posts';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { everything, logChange } from '../../publishing/log.ts';
import { makeDataDir, shownAt, startWriting } from '../../testing/blog.ts';
import { settledRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  staffBrowser,
  type TestApp,
} from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';
import { pipelineVersion, storeBody } from './bodies.ts';

const nested = `${'- '.repeat(1_500)}a`;
/** 200,000 characters become 1,100,000 of HTML. */
const swelling = '"&'.repeat(100_000);

test.each([
  [
    'a table',
    `${'|a'.repeat(4_000)}|\n${'|-'.repeat(4_000)}|\n${'|\n'.repeat(8_000)}`,
    contentProblems.tableColumns,
  ],
  ['a run of spaces', `x${' '.repeat(199_997)}*y`, contentProblems.repeatedCharacter],
  ['nested lists', nested, contentProblems.nesting],
  ['nested quotes', '> '.repeat(6_000), contentProblems.nesting],
  ['output that is too large', swelling, contentProblems.tooLarge],
])('does not save a post that cannot be rendered because of %s', async (_, content, message) => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const created = await ann.post('/api/posts', { title: 'A', content: 'Text', published: true });
  const { post } = (await created.json()) as PostSaved;
  const before = await settledRows(testApp);
  const page = await shownAt(testApp, '/blog/a');

  for (const response of [
    await ann.post('/api/posts', { title: 'B', content, published: true }),
    await ann.send('PATCH', `/api/posts/${post.id}`, { content }),
  ]) {
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'content', message }],
    });
  }

  expect(await settledRows(testApp)).toEqual(before);
  expect(await shownAt(testApp, '/blog/a')).toEqual(page);
});

/** Inserts only the row, as after a restored backup or an import. */
async function importPost({ deps }: TestApp, slug: string, content: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.insert(blogPosts).values({
    ...{ id: slug, slug, title: slug, excerpt: slug, content, published: true },
    ...{ authorId: null, authorEmail: '', createdAt: now, updatedAt: now },
  });
}

async function appWithImports(...imports: [slug: string, content: string][]) {
  const dataDir = makeDataDir();
  {
    await using before = await makeTestApp({ publishes: true, dataDir });
    await (await startWriting(before)).write('Good');
    for (const [slug, content] of imports) await importPost(before, slug, content);
    logChange(before.deps.db, before.clock.now(), [everything]);
  }
  const testApp = await makeTestApp({ publishes: true, dataDir });
  await testApp.deps.publisher.settled();
  return testApp;
}

const slugsOn = async (testApp: TestApp, path: string): Promise<string[]> => {
  const data = await shownAt(testApp, path);
  if (!data || !('posts' in data)) throw new Error(`${path} shows no posts`);
  return data.posts.map((post) => ('slug' in post ? post.slug : '')).sort();
};

test('renders an imported post on startup', async () => {
  await using testApp = await appWithImports(['imported', 'From **elsewhere**.']);
  expect(await shownAt(testApp, '/blog/imported')).toMatchObject({
    bodyHtml: '<p dir="auto">From <strong>elsewhere</strong>.</p>\n',
  });
  expect(await slugsOn(testApp, '/blog/rss.xml')).toEqual(['good', 'imported']);
  const body = eq(blogPostBodies.postId, 'imported');
  expect(await testApp.deps.db.select().from(blogPostBodies).where(body)).toMatchObject([
    { pipelineVersion, problem: null },
  ]);
});

test('renders a body of an older pipeline again with its page', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { db } = testApp.deps;
  const { write, change } = await startWriting(testApp);
  const { post } = await write('Old');
  db.update(blogPostBodies)
    .set({ pipelineVersion: pipelineVersion - 1, html: 'old' })
    .run();
  await change(post, { title: 'Still old' });
  expect(await shownAt(testApp, '/blog/old')).toMatchObject({
    bodyHtml: '<p dir="auto">About Old</p>\n',
  });
});

test('omits an imported post that cannot be rendered', async () => {
  await using testApp = await appWithImports(['bad', swelling]);
  const ann = await staffBrowser(testApp);
  const { write } = await startWriting(testApp);
  const { publishing } = await write('Next');

  expect(publishing.state).toBe('live');
  expect(await shownAt(testApp, '/blog/bad')).toBeNull();
  const month = new Date(testApp.clock.now()).toISOString().slice(0, 7);
  for (const path of [
    '/blog',
    '/blog/rss.xml',
    `/blog/archive/${month}`,
    `/blog/sitemap-${month}.xml`,
  ]) {
    expect(await slugsOn(testApp, path), path).toEqual(['good', 'next']);
  }
  const visitor = testApp.browser();
  const list = (await (await visitor.get('/api/posts')).json()) as { posts: { slug: string }[] };
  expect(list.posts.map(({ slug }) => slug).sort()).toEqual(['good', 'next']);
  expect((await visitor.get('/blog/bad')).status).toBe(404);

  const page = await ann.get('/blog/bad');
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await page.text()).toContain(contentProblems.tooLarge);

  const health = async () => (await visitor.get('/api/health')).json();
  expect(await health()).toMatchObject({
    status: 'degraded',
    problems: ['1 post cannot be rendered and is left out of the blog. The log says which.'],
  });

  const fixed = await ann.send('PATCH', '/api/posts/bad', { content: 'Short.' });
  expect(((await fixed.json()) as PostSaved).publishing.state).toBe('live');
  expect(await slugsOn(testApp, '/blog')).toEqual(['bad', 'good', 'next']);
  expect(await health()).toMatchObject({ status: 'ok', problems: [] });
});

test('an imported post that cannot be rendered can be deleted', async () => {
  await using testApp = await appWithImports(['bad', swelling]);
  const ann = await staffBrowser(testApp);
  expect((await ann.send('DELETE', '/api/posts/bad', {})).status).toBe(200);
  expect(await (await ann.get('/api/health')).json()).toMatchObject({ status: 'ok' });
});

test('hides a post that cannot be rendered from members with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { authoring: 'team' } });
  await importPost(testApp, 'bad', swelling);
  const ann = await signedInBrowser(testApp);
  expect((await ann.get('/blog/bad')).status).toBe(404);
});

test("limits the feed's size, with excerpts for the rest", async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  const content = 'word '.repeat(40_000);
  for (const [title, more] of [
    ['Small', {}],
    ['Second', { content }],
    ['First', { content }],
  ] as const) {
    await write(title, more);
    testApp.clock.move(1_000);
  }
  const feed = await shownAt(testApp, '/blog/rss.xml');
  if (feed?.kind !== 'feed') throw new Error('there is no feed');
  expect(feed.posts.map(({ slug, bodyHtml }) => [slug, bodyHtml !== null])).toEqual([
    ['first', true],
    ['second', false],
    ['small', true],
  ]);
  expect(feed.posts[1]).not.toHaveProperty('content');
});

test('retries a post that timed out on the next start', async () => {
  const dataDir = makeDataDir();
  {
    await using before = await makeTestApp({ publishes: true, dataDir });
    await (await startWriting(before)).write('Good');
    await importPost(before, 'slow', 'Slow **once**.');
    before.deps.db.transaction((tx) => {
      storeBody(tx, 'slow', { problem: contentProblems.tooComplex });
    });
  }
  await using testApp = await makeTestApp({ publishes: true, dataDir });
  expect(
    await until(async () => {
      const page = await shownAt(testApp, '/blog/slow');
      return page?.kind === 'post' && page.bodyHtml;
    }),
  ).toBe('<p dir="auto">Slow <strong>once</strong>.</p>\n');
  await until(async () => (await slugsOn(testApp, '/blog')).includes('slow'));
  const health = await testApp.browser().get('/api/health');
  expect(await health.json()).toMatchObject({ status: 'ok', problems: [] });
});
