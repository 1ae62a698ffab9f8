import { contentProblems } from '@app/contract/blog/post-content';
import type { PostPreviewed, PostSaved } from '@app/contract/blog/posts';
import type { Problem } from '@app/contract/problems';
import { blogPosts } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import { publishedPages } from '../../testing/site.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';

const fields = {
  title: 'Winter checks',
  content: '## Pipes\n\n- Drain **all**\n- Insulate\n\n| a | b |\n| - | - |\n| 1 | 2 |',
  slug: 'winter-checks',
  excerpt: 'In short',
  coverImage: 'https://example.com/pipes.jpg',
};

async function preview(browser: TestBrowser, body: object): Promise<string> {
  const response = await browser.post('/api/posts/preview', body);
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as PostPreviewed).html;
}

/** The test renderer's pages contain their data. */
const dataOf = (page: string | undefined): unknown =>
  JSON.parse(/<pre>(.*)<\/pre>/s.exec(page ?? '')?.[1] ?? 'null');

test('a preview shows the page as it will be published', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const first = await ann.post('/api/posts', { title: 'Before', content: 'Before' });
  const { post } = (await first.json()) as PostSaved;
  testApp.clock.move(5_000);

  const html = await preview(ann, { post: post.id, ...fields });
  await ann.send('PATCH', `/api/posts/${post.id}`, { ...fields, published: true });

  const published = (await publishedPages(testApp))['blog/winter-checks.html'];
  expect(dataOf(html)).toEqual(dataOf(published));
  expect(html).toContain('/blog/winter-checks of');
  expect(html).toContain('<strong>all</strong>');
});

test('a preview of a new post has its author and stores nothing', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const before = allRows(testApp.deps.db);

  const html = await preview(ann, { title: 'New', content: 'Text' });

  expect(html).toContain('/blog/new of');
  expect(html).toContain('"name":"Ann"');
  expect(html).toContain('"excerpt":"Text..."');
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test.each([
  ['nothing', { content: '' }],
  ['a reserved title', { title: 'Editor', content: 'Text' }],
  ['an invalid slug', { title: '?', slug: '../x', content: '' }],
  ['half a cover URL', { coverImage: 'https:/', content: '' }],
])('previews unfinished posts: %s', async (_what, body) => {
  await using testApp = await makeTestApp();
  const html = await preview(await signedInBrowser(testApp), body);
  expect(html).toContain('/blog/untitled of');
  expect(html).toContain('"coverImage":null');
});

test('answers with the problem of a text that cannot be saved', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const response = await ann.post('/api/posts/preview', { content: '> '.repeat(30) });
  const { code, issues } = (await response.json()) as Problem;
  expect([response.status, code]).toEqual([422, 'invalid_input']);
  expect(issues).toEqual([{ path: 'content', message: contentProblems.nesting }]);
});

test('rejects a preview of another author’s draft', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await ann.post('/api/posts', fields);
  const [draft] = await testApp.deps.db.select().from(blogPosts);

  const response = await bob.post('/api/posts/preview', { post: draft?.id, content: 'Text' });

  expect(response.status).toBe(404);
});

test('rejects previews by members with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const member = await signedInBrowser(testApp);
  const response = await member.post('/api/posts/preview', { content: 'Text' });
  expect(response.status).toBe(403);
});

test('limits the previews of an account per minute', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  testApp.deps.bodies.render = async () => ({
    html: '',
    text: '',
    outlineHtml: null,
    words: 0,
    isRich: false,
  });
  const statusOf = async (browser: TestBrowser) =>
    (await browser.post('/api/posts/preview', { content: '' })).status;
  for (let sent = 0; sent < 600; sent += 1) await statusOf(ann);

  const refused = await ann.post('/api/posts/preview', { content: '' });
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(await statusOf(bob)).toBe(200);
  testApp.clock.move(60_000);
  expect(await statusOf(ann)).toBe(200);
});

test('the preview frame runs no scripts, and only this site can embed it', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().get('/api/preview-frame');
  expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
  const policy = response.headers.get('Content-Security-Policy')?.split('; ');
  expect(policy).toContain("script-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy?.[0]).not.toContain('allow-scripts');
});
