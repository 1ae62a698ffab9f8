import type { PostSaved } from '@app/contract/blog';
import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../testing/test-app.ts';

const pageAt = (browser: TestBrowser, path: string) =>
  browser.get(`/api/dev/page?path=${encodeURIComponent(path)}`);

test('without DEV_PAGES there is no such call', async () => {
  await using testApp = await makeTestApp();
  const response = await pageAt(testApp.browser(), '/blog');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found' });
});

test('each kind of page is told what it is rendered from', async () => {
  await using testApp = await makeTestApp({ settings: { devPages: true } });
  const ann = await signedInBrowser(testApp);
  const created = await ann.post('/api/posts', {
    title: 'Title',
    content: 'Text',
    published: true,
  });
  const { post } = (await created.json()) as PostSaved;
  const visitor = testApp.browser();

  expect(await (await pageAt(visitor, '/blog')).json()).toMatchObject({ kind: 'blog' });
  expect(await (await pageAt(visitor, '/blog/title')).json()).toEqual({ kind: 'post', post });
  expect(await (await pageAt(visitor, '/auth/confirm?token=abc')).json()).toEqual({
    kind: 'confirm',
    token: 'abc',
  });
  expect(await (await pageAt(ann, '/blog/editor/title')).json()).toEqual({ kind: 'edit', post });
});

test('drafts are their author’s in development too', async () => {
  await using testApp = await makeTestApp({ settings: { devPages: true } });
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { title: 'Secret', content: 'Text' });

  for (const path of ['/blog/secret', '/blog/editor/secret']) {
    expect((await pageAt(ann, path)).status).toBe(200);
    expect((await pageAt(testApp.browser(), path)).status).toBe(404);
  }
});

test.each(['', '/', '/contact', '/blog/no-such-post', 'http://'])(
  'no page is rendered at %j',
  async (path) => {
    await using testApp = await makeTestApp({ settings: { devPages: true } });
    expect((await pageAt(testApp.browser(), path)).status).toBe(404);
  },
);
