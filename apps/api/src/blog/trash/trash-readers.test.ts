import type { PostSaved } from '@app/contract/blog/posts';
import { users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import { changingEndpoints } from '../../testing/changing-endpoints.ts';
import { publishedPages } from '../../testing/site.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

const word = 'zanzibar';

const newSlug = 'new-home';
const oldSlug = 'old-home';

/** Routes that are meant to show deleted posts. */
const exceptions = ['/blog/trash', '/api/account/export'];

/** Every URL of every GET route, with these values for its parameters. */
function urlsOf({ app }: TestApp, values: readonly string[]): string[] {
  const paths = new Set(
    app.routes
      .filter(({ method, path }) => method === 'GET' && !path.includes('*'))
      .map(({ path }) => path)
      .filter((path) => !exceptions.includes(path)),
  );
  return [...paths].flatMap((path) =>
    (path.includes(':') ? values : ['']).flatMap((value) => {
      const url = path.replace(/:\w+(?:\{[^}]*\})?/g, value);
      return [url, `${url}?drafts=true`, `${url}?q=${word.slice(0, -1)}`];
    }),
  );
}

async function urlsThatShowIt(browser: TestBrowser, urls: readonly string[]): Promise<string[]> {
  const showing: string[] = [];
  for (const url of urls) {
    const response = await browser.get(url);
    const location = response.headers.get('Location') ?? '';
    const text = await response.text();
    if (location.includes(newSlug) || text.toLowerCase().includes(word)) showing.push(url);
  }
  return showing;
}

test.each([true, false])(
  'no route and no file shows a deleted post to anyone (published: %s)',
  async (published) => {
    await using testApp = await makeTestApp({ publishes: true });
    const { deps, app } = testApp;
    const ann = await signedInBrowser(testApp, 'ann@example.com');
    const boss = await signedInBrowser(testApp, 'boss@example.com');
    deps.db.update(users).set({ role: 'staff' }).run();
    const reply = await ann.post('/api/posts', {
      title: `The ${word}`,
      slug: oldSlug,
      content: `All about ${word}`,
      published,
    });
    const { post } = (await reply.json()) as PostSaved;
    await ann.send('PATCH', `/api/posts/${post.id}`, { slug: newSlug });
    const urls = urlsOf(testApp, [newSlug, oldSlug, post.id, `~${post.id}`, '2026-03']);
    expect(await urlsThatShowIt(ann, urls)).toEqual(
      expect.arrayContaining([
        `/blog/${newSlug}`,
        `/blog/${oldSlug}`,
        `/blog/editor/${newSlug}`,
        `/api/posts/${newSlug}`,
        '/api/posts?drafts=true',
      ]),
    );

    await ann.request('DELETE', `/api/posts/${post.id}`);

    for (const browser of [ann, boss, testApp.browser()]) {
      expect(await urlsThatShowIt(browser, urls)).toEqual([]);
    }
    expect(JSON.stringify(await publishedPages(testApp))).not.toContain(word);

    // Nor can it be changed, except in the trash.
    const before = deps.db.select().from(blogPosts).all();
    for (const { name, body } of await changingEndpoints(app)) {
      const [method = '', path = ''] = name.split(' ');
      if (!path.startsWith('/api/posts/:post') || /restore|delete-forever/.test(path)) continue;
      const response = await ann.send(method, path.replace(':post', post.id), body ?? {});
      expect([name, response.status]).toEqual([name, 404]);
    }
    expect(deps.db.select().from(blogPosts).all()).toEqual(before);
  },
);
