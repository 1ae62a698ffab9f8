import type { PostSaved } from '@app/contract/blog/posts';
import type { PostPresent } from '@app/contract/blog/presence-replies';
import { expect, test } from 'vitest';
import {
  makeTestApp,
  signedInBrowser,
  staffBrowser,
  type TestBrowser,
} from '../../testing/test-app.ts';

const open = async (browser: TestBrowser, post: string, more: object = {}) => {
  const response = await browser.post('/api/posts/presence', { post, ...more });
  return [response.status, ((await response.json()) as Partial<PostPresent>).others];
};

async function createPost(browser: TestBrowser, published: boolean): Promise<string> {
  const fields = { title: `Title ${published}`, content: 'Text', published };
  const response = await browser.post('/api/posts', fields);
  return ((await response.json()) as PostSaved).post.id;
}

test('shows who else has a post open until they leave or their presence expires', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await staffBrowser(testApp, 'bob@example.com');
  await bob.send('PATCH', '/api/profile', { fullName: 'Bob Baker' });
  const post = await createPost(ann, true);

  expect(await open(ann, post)).toEqual([200, []]);
  expect(await open(bob, post)).toEqual([200, ['Ann']]);
  expect(await open(ann, post)).toEqual([200, ['Bob Baker']]);

  await open(bob, post, { isLeaving: true });
  expect(await open(ann, post)).toEqual([200, []]);

  await open(bob, post);
  testApp.clock.move(31_000);
  expect(await open(ann, post)).toEqual([200, []]);
});

test('answers only writers who can change the post, and limits their requests', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const secret = await createPost(ann, false);
  expect((await open(bob, secret))[0]).toBe(404);
  expect((await open(bob, await createPost(ann, true)))[0]).toBe(403);
  expect((await open(testApp.browser(), secret))[0]).toBe(401);
  for (let n = 0; n < 120; n += 1) await open(ann, secret);
  expect((await open(ann, secret))[0]).toBe(429);
});
