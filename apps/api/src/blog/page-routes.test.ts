import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../testing/test-app.ts';
import { testSamplePosts } from '../testing/test-renderer.ts';

const draft = { title: 'Secret plan', content: 'Text' };

const bodyOf = async (browser: TestBrowser, path: string) => (await browser.get(path)).text();

test('renders a draft for its author only, without caching', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  await ann.post('/api/posts', draft);

  const page = await ann.get('/blog/secret-plan');

  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await page.text()).toContain('"kind":"post"');
});

test('shows everyone else the 404 page', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await ann.post('/api/posts', draft);

  for (const browser of [bob, testApp.browser()]) {
    const page = await browser.get('/blog/secret-plan');
    expect(page.status).toBe(404);
    expect(page.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const body = await page.text();
    expect(body).toContain('{"kind":"noPost","reason":"not-found"}');
    expect(body).toBe(await bodyOf(browser, '/blog/no-such-post'));
  }
});

test('shows the editor to writers, and redirects visitors to the blog', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await ann.post('/api/posts', draft);

  expect(await bodyOf(ann, '/blog/editor/secret-plan')).toContain('"kind":"edit"');
  const visitors = await testApp.browser().get('/blog/editor/secret-plan');
  expect([visitors.status, visitors.headers.get('Location')]).toEqual([303, '/blog']);
  for (const path of ['/blog/editor/secret-plan', '/blog/editor/no-such-post']) {
    const page = await bob.get(path);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('{"kind":"edit","post":null');
  }
});

test('redirects members from the editor to the blog with AUTHORING=team', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { authoring: 'team' } });
  const member = await signedInBrowser(testApp);
  const page = await member.get('/blog/editor/secret-plan');
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/blog']);
});

test('editing a sample post starts a copy with a free slug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const slug = testSamplePosts[0]?.slug;
  await bob.post('/api/posts', { ...draft, slug: `${slug}-copy` });

  const body = await bodyOf(ann, `/blog/editor/${slug}`);

  expect(body).toContain('"isSample":true');
  expect(body).toContain(`"slug":"${slug}-copy-2"`);
});

test.each([
  ['/blog/secret-plan', 'failed'],
  ['/blog/editor/secret-plan', 'editor-failed'],
])('shows an error page for a failure at %s, and logs it', async (path, reason) => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', draft);
  const { $client: client } = testApp.deps.db;
  client.exec('ALTER TABLE blog_posts RENAME TO elsewhere');

  const page = await ann.get(path);

  client.exec('ALTER TABLE elsewhere RENAME TO blog_posts');
  expect(page.status).toBe(500);
  expect(await page.text()).toContain(`{"kind":"noPost","reason":"${reason}"}`);
});
