import { randomUUID } from 'node:crypto';
import type { PostSaved } from '@app/contract/blog/posts';
import type { PageData } from '@app/contract/pages';
import { expect, test } from 'vitest';
import {
  makeTestApp,
  setRole,
  signedInBrowser,
  staffBrowser,
  type TestBrowser,
} from '../../testing/test-app.ts';

const content = 'First.\n\nSecond.\n\nThird.';

async function editPage(browser: TestBrowser, path: string) {
  const html = await (await browser.get(`/blog/editor/${path}`)).text();
  const page = JSON.parse(/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? '') as PageData;
  if (page.kind !== 'edit') throw new Error(`a page of kind ${page.kind}`);
  return page;
}

async function createPost(browser: TestBrowser, published = true) {
  const fields = { title: 'Title', content, published };
  return ((await (await browser.post('/api/posts', fields)).json()) as PostSaved).post;
}

test('offers unsaved text', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug, version } = await createPost(ann);
  const typed = { title: '', slug: 'x y', content: 'Typed', baseVersion: version };
  await ann.send('PUT', `/api/posts/drafts/${id}`, typed);

  const offered = await editPage(ann, slug);
  expect(offered.draft).toEqual({ id, updatedAt: new Date(testApp.clock.now()).toISOString() });
  expect([offered.post?.id, offered.restored]).toEqual([id, null]);
});

test.each([true, false])(
  'unsaved text of a post that is gone opens as a new post (deleted: %s)',
  async (isDeleted) => {
    await using testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    const bob = await staffBrowser(testApp, 'bob@example.com');
    const { id } = await createPost(ann);
    await bob.send('PUT', `/api/posts/drafts/${id}`, { content: 'Typed', baseVersion: 1 });
    expect((await bob.get(`/blog/editor/${id}`)).status).toBe(404);
    if (isDeleted) await ann.request('DELETE', `/api/posts/${id}`);
    else setRole(testApp, 'bob@example.com', 'member');

    expect(await editPage(bob, id)).toMatchObject({
      post: null,
      restored: { id, fields: { content: 'Typed' } },
    });
  },
);

test('opens unsaved text of a new post only for its author', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const id = randomUUID();
  await ann.send('PUT', `/api/posts/drafts/${id}`, { content: 'Typed' });

  expect(await editPage(ann, id)).toMatchObject({
    post: null,
    restored: { id, fields: { content: 'Typed' } },
  });
  const ofBob = await bob.get(`/blog/editor/${id}`);
  expect(ofBob.status).toBe(404);
  expect(await ofBob.text()).not.toContain('Typed');
});

test('limits the text an account loads into the editor to 32 MB a minute, once escaped', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const id = randomUUID();
  const quotes = '"'.repeat(390_000);
  expect((await ann.send('PUT', `/api/posts/drafts/${id}`, { content: quotes })).status).toBe(200);
  const load = (browser: TestBrowser) => browser.get(`/blog/editor/${id}`);

  let loads = 0;
  while ((await load(ann)).status === 200 && loads < 100) loads += 1;

  expect(loads).toBe(14);
  const refused = await load(ann);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(await refused.text()).toContain('"kind":"noPost","reason":"too-many"');
  testApp.clock.move(60_000);
  expect((await load(ann)).status).toBe(200);
});
