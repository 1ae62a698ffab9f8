import type { RenderedPages } from '@app/contract/pages';
import { users } from '@app/db/schema/accounts';
import { expect, test } from 'vitest';
import { addPicture, savePost } from '../../testing/pictures.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';

test('shows where pictures are used, without details that their owner cannot see', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const pageOf = async (browser: TestBrowser, query = '') => {
    const html = await (await browser.get(`/blog/pictures${query}`)).text();
    // The test renderer writes the page's data as JSON.
    return JSON.parse(/<pre>(.*)<\/pre>/.exec(html)?.[1] ?? '') as RenderedPages['pictures'];
  };
  const uses = async () => (await pageOf(ann)).pictures[0]?.uses;
  const picture = await addPicture(ann, undefined, 'A valve');
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

test('shows the page only to writers', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const visitor = await testApp.browser().get('/blog/pictures');
  expect(visitor.headers.get('Location')).toMatch(/^\/auth\?.*pictures/);
  const ann = await signedInBrowser(testApp);
  expect((await ann.get('/blog/pictures')).headers.get('Location')).toBe('/blog');
  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  expect((await ann.get('/blog/pictures?cursor=x')).headers.get('Location')).toBe('/blog/pictures');
});
