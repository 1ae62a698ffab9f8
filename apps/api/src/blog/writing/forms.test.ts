import type { Post, PostSaved } from '@app/contract/blog/posts';
import { blogPosts } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../testing/test-app.ts';

const fields = { title: 'Title', slug: '', coverImage: '', excerpt: '', content: 'Text' };

const answer = async (response: Response) => [response.status, response.headers.get('Location')];

const read = async (browser: TestBrowser, slug: string): Promise<Post> =>
  (await (await browser.get(`/api/posts/${slug}`)).json()) as Post;

test('the form creates a draft, or a published post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);

  const draft = await ann.submit('/api/posts', fields);
  const published = await ann.submit('/api/posts', { ...fields, slug: 'out', published: 'true' });

  expect(await answer(draft)).toEqual([303, '/blog/title']);
  expect(await answer(published)).toEqual([303, '/blog/out']);
  expect(await read(ann, 'title')).toMatchObject({ published: false, coverImage: null });
  expect(await read(ann, 'out')).toMatchObject({ published: true });
});

test('the form changes and deletes a post', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = (await (await ann.post('/api/posts', fields)).json()) as PostSaved;

  const changed = await ann.submit(`/api/posts/${post.id}`, {
    ...fields,
    slug: 'new',
    published: 'true',
  });
  expect(await answer(changed)).toEqual([303, '/blog/new']);
  expect(await read(ann, 'new')).toMatchObject({ id: post.id, published: true });

  const deleted = await ann.submit(`/api/posts/${post.id}/delete`, {});
  expect(await answer(deleted)).toEqual([303, '/blog']);
  expect(await testApp.deps.db.select().from(blogPosts)).toMatchObject([
    { slug: 'new', published: false },
  ]);
});

test('the buttons below a post only publish and unpublish it', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { post } = (await (await ann.post('/api/posts', fields)).json()) as PostSaved;

  await ann.submit(`/api/posts/${post.id}`, { published: 'true' });
  expect(await read(ann, 'title')).toEqual({ ...post, published: true, version: 2 });
  await ann.submit(`/api/posts/${post.id}`, { published: 'false' });
  expect(await read(ann, 'title')).toEqual({ ...post, version: 3 });
});
