import { createHash } from 'node:crypto';
import type { Post, PostSaved, PublishingStatus } from '@app/contract/blog/posts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, passTime, rendererWith } from '../../testing/blog.ts';
import { publishedPages } from '../../testing/site.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';
import { makeRenderer } from '../../testing/test-renderer.ts';
import { until } from '../../testing/until.ts';

const fields = { title: 'Title', slug: '', coverImage: '', excerpt: '', content: 'Text' };

async function statusOf(browser: TestBrowser, { id }: Pick<Post, 'id'>): Promise<PublishingStatus> {
  return (await (await browser.get(`/api/posts/${id}/publishing`)).json()) as PublishingStatus;
}

const create = async (browser: TestBrowser, more: object): Promise<PostSaved> =>
  (await (await browser.post('/api/posts', { ...fields, ...more })).json()) as PostSaved;

test('the status of a post is pending until its page is published, then live', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failing = new Set(['/blog/title']);
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) => {
    if (failing.has(path)) throw new Error(`no page at ${path}`);
  });
  await using testApp = await makeTestApp({ publishes: true, renderer });
  const ann = await signedInBrowser(testApp);
  const { post, publishing } = await create(ann, { published: true });
  expect(publishing).toEqual({
    state: 'pending',
    reason: '/blog/title could not be rendered.',
    pages: [{ path: '/blog/title', reason: 'could not be rendered.' }],
  });
  expect(await statusOf(ann, post)).toEqual({ state: 'pending', paths: ['/blog/title'] });

  const editor = async () => (await ann.get('/blog/editor/title')).text();
  expect(await editor()).toContain('"pendingPaths":["/blog/title"]');

  failing.clear();
  passTime(testApp, 20_000);
  await until(async () => (await statusOf(ann, post)).state === 'live');

  const page = (await publishedPages(testApp))['blog/title.html'] ?? '';
  expect(page).toContain('Text');
  const hash = createHash('sha256').update(page).digest('hex');
  expect(await statusOf(ann, post)).toEqual({ state: 'live', path: '/blog/title', hash });
  expect(await editor()).not.toContain('pendingPaths');
});

test('shows the status to writers, and that of a draft only to those who can read it', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = await create(ann, { published: false });

  expect(await statusOf(ann, post)).toEqual({ state: 'draft' });

  const path = `/api/posts/${post.id}/publishing`;
  const ben = await signedInBrowser(testApp, 'ben@example.com');
  expect((await testApp.browser().get(path)).status).toBe(401);
  expect((await ben.get(path)).status).toBe(404);
});
