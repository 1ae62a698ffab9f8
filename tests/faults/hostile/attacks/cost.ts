import { randomBytes, randomUUID } from 'node:crypto';
import type { Account } from '../accounts.ts';
import {
  type Attack,
  attacker,
  pick,
  post,
  savedPost,
  send,
  unique,
  type World,
} from '../attack.ts';

/** Bodies that cost a naive renderer minutes or gigabytes, or overflow its stack. */
const bombs: readonly (() => string)[] = [
  () => `${'|a'.repeat(4_000)}|\n${'|-'.repeat(4_000)}|\n${'|\n'.repeat(8_000)}`,
  () => `${'|a'.repeat(900)}|\n${'|-'.repeat(900)}|\n${'|\n'.repeat(2_500)}`,
  () => `x${' '.repeat(199_997)}*y`,
  () => `${'- '.repeat(1_500)}a`,
  () => '>'.repeat(6_000),
  () => `${'> - '.repeat(20_000)}a`,
  () => '*a **b '.repeat(25_000),
  () => '['.repeat(100_000),
  () => '![a]('.repeat(35_000),
  () => `${'[a](https://example.com/b) '.repeat(7_000)}`,
  () => '`'.repeat(100_000) + 'a'.repeat(99_000),
  () => `a${'\u0301'.repeat(60_000)}${'\u0327'.repeat(60_000)}`,
  () => '_a__b'.repeat(39_000),
  () => '~'.repeat(199_000),
  () => '\\'.repeat(199_000),
  () => '1. '.repeat(60_000),
  () => '<'.repeat(199_000),
  () => 'http://a.'.repeat(22_000),
  () => '# '.repeat(99_000),
  () => `${'\n'.repeat(199_990)}a`,
  () => `\t${'\t- a\n'.repeat(40_000)}`,
  () => 'a@'.repeat(99_000),
  () => Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
];

const titles: readonly string[] = [
  'How to write </title><style>body{display:none}</style> in a post',
  'What <style> and <script> mean',
  '<meta http-equiv="content-security-policy" content="script-src *">',
  '<!-- a comment that never ends',
  '\u202Eright to left\u202C',
  '𝒰𝓃𝒾𝒸ℴ𝒹ℯ '.repeat(15),
];

/** Max size of a rendered body of 200,000 characters, in bytes. */
const maxPageBytes = 4_000_000;

async function publishAndLook(world: World, account: Account, body: object): Promise<void> {
  const { session } = account;
  const saved = savedPost(await send(world, 'POST', '/api/posts', { session, body }));
  if (!saved.post) return;
  const page = await send(world, 'GET', `/blog/${saved.post.slug}`);
  if (page.text.length > maxPageBytes) {
    world.report(`/blog/${saved.post.slug} has ${page.text.length} bytes`);
  }
  await send(world, 'DELETE', `/api/posts/${saved.post.id}`, { session });
}

export const costAttacks: readonly Attack[] = [
  {
    name: 'downloads that do not depend on the request',
    pause: 20,
    workers: 20,
    async round(world, n) {
      const paths = ['/api/openapi.json', '/api/docs', ...world.contents.docsAssets];
      const path = n % 4 === 3 ? `/blog/${unique()}` : pick(paths, n);
      const encoding = pick(['br', 'gzip', 'identity', 'zstd'], Math.floor(n / paths.length));
      await send(world, 'GET', path, { headers: { 'Accept-Encoding': encoding } });
    },
  },
  {
    name: 'versions and unsaved texts that fill the disk',
    pause: 200,
    workers: 2,
    async round(world, n) {
      const { session } = attacker(world, n);
      const text = (): string => randomBytes(95_000).toString('hex');
      const draft = { title: unique(), content: text(), slug: '', excerpt: '', coverImage: '' };
      const unsaved = { session, body: { ...draft, tags: '', published: false } };
      await send(world, 'PUT', `/api/posts/drafts/${randomUUID()}`, unsaved);
      const body = post(`Large ${unique()}`, text(), false);
      const saved = savedPost(await send(world, 'POST', '/api/posts', { session, body }));
      if (!saved.post) return;
      for (let save = 0; save < 6; save += 1) {
        const change = { session, body: { content: text() } };
        await send(world, 'PATCH', `/api/posts/${saved.post.id}`, change);
      }
    },
  },
  {
    name: 'reports of errors from many addresses',
    pause: 5,
    async round(world) {
      const body = { kind: 'error', message: `Error ${unique()}`, stack: unique() };
      await send(world, 'POST', '/api/client-errors', { body });
    },
  },
  {
    name: 'posts that explode',
    pause: 100,
    workers: 2,
    round: (world, n) =>
      publishAndLook(world, attacker(world, n), post(`Bomb ${unique()}`, pick(bombs, n)())),
  },
  {
    name: 'bombs put into a post that is public',
    pause: 400,
    async round(world, n) {
      const { session } = attacker(world, n);
      const body = post(`Harmless ${unique()}`, 'Text.');
      const saved = savedPost(await send(world, 'POST', '/api/posts', { session, body }));
      if (!saved.post) return;
      const path = `/api/posts/${saved.post.id}`;
      await send(world, 'PATCH', path, { session, body: { content: pick(bombs, n)() } });
      await send(world, 'PATCH', path, { session, body: { published: false } });
      const page = await send(world, 'GET', `/blog/${saved.post.slug}`);
      if (page.status === 200) world.report(`the unpublished ${saved.post.slug} is still public`);
      await send(world, 'DELETE', path, { session });
    },
  },
  {
    name: 'markup in titles and excerpts',
    pause: 700,
    round: (world, n) =>
      publishAndLook(world, attacker(world, n), {
        ...post(`${pick(titles, n)} ${n}`, 'Text.'),
        excerpt: pick(titles, n + 1),
        slug: `title-${unique()}`,
      }),
  },
  {
    name: 'everything of the blog at once',
    pause: 15,
    workers: 2,
    async round(world, n) {
      await send(
        world,
        'GET',
        pick(['/api/posts?drafts=true', '/api/posts', '/blog/no-such-post', '/api/health'], n),
        {
          session: attacker(world, n).session,
        },
      );
    },
  },
];
