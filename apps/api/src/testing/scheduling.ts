import type { Post, PostSaved } from '@app/contract/blog/posts';
import { shownAt } from './blog.ts';
import { makeTestApp, signedInBrowser, type TestApp, type TestBrowser } from './test-app.ts';

export const startScheduling = async () => {
  const testApp = await makeTestApp({ publishes: true });
  return { testApp, ann: await signedInBrowser(testApp) };
};

export const inFuture = ({ clock }: Pick<TestApp, 'clock'>, milliseconds: number): string =>
  new Date(clock.now() + milliseconds).toISOString();

export async function createPost(browser: TestBrowser, more: object): Promise<Post> {
  const response = await browser.post('/api/posts', { title: 'Frost', content: 'Text', ...more });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as PostSaved).post;
}

export async function changePost(
  browser: TestBrowser,
  { id }: Post,
  body: object,
): Promise<PostSaved> {
  const response = await browser.send('PATCH', `/api/posts/${id}`, body);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as PostSaved;
}

export const findPost = async (browser: TestBrowser, slug = 'frost'): Promise<Post> =>
  (await browser.get(`/api/posts/${slug}`)).json() as Promise<Post>;

export const isLive = async (testApp: TestApp, slug = 'frost'): Promise<boolean> =>
  (await shownAt(testApp, `/blog/${slug}`)) !== null;
