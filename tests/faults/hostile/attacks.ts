import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Account, Accounts } from './accounts.ts';
import { password } from './accounts.ts';
import { type Client, type Reply, type RequestOptions, randomAddress } from './client.ts';
import { type Contents, secret } from './contents.ts';

export interface World {
  client: Client;
  accounts: Accounts;
  contents: Contents;
  /** Counts a response under the attack's name and returns it. */
  note(answer: Reply): Reply;
  report(violation: string): void;
  isOver(): boolean;
}

export interface Attack {
  name: string;
  /** Pause between two rounds, in milliseconds. */
  pause: number;
  workers?: number;
  round(world: World, n: number): Promise<void>;
}

const pick = <T>(items: readonly T[], n: number): T => {
  const item = items[n % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};
const unique = (): string => randomBytes(8).toString('hex');
const attacker = ({ accounts }: World, n: number): Account => pick(accounts.attackers, n);

const send = async (
  { client, note }: World,
  method: string,
  path: string,
  call?: RequestOptions,
): Promise<Reply> => note(await client.call(method, path, call));

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

const post = (title: string, content: string, published = true) => ({ title, content, published });

/** Must not be in an email to a visitor, whose address anyone can enter. */
export const relayed = 'Your account is locked: call (555) 010-0199';

interface SavedPost {
  post?: { id: string; slug: string };
  publishing?: { state: string };
}
const savedPost = ({ text, status }: Reply): SavedPost =>
  status === 200 || status === 201 ? (JSON.parse(text) as SavedPost) : {};

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

const json = (depth: number, open: string, close: string) =>
  open.repeat(depth) + close.repeat(depth);

const junkBodies: readonly (() => string | Uint8Array)[] = [
  () => json(200_000, '[', ']'),
  () => json(100_000, '{"a":', '}').replace(':}', ':1}'),
  () => `{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}`,
  () => `{"email":${JSON.stringify('a'.repeat(900_000))}}`,
  () => `{"email":"${'@'.repeat(500_000)}"}`,
  () => `{"email":["a@example.com"],"password":{"length":8}}`,
  () => `{"title":1e400,"content":-0,"slug":null,"published":"yes"}`,
  () => '{"email":"a@example.com"',
  () => randomBytes(100_000),
  () => '',
  () => `{"token":"${'A'.repeat(500_000)}","password":"${'é'.repeat(200_000)}"}`,
  () => `{"name":"${'a\\u0301'.repeat(120_000)}"}`,
  () => `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
];

const changes: readonly [method: string, path: string][] = [
  ['POST', '/api/auth/sign-up'],
  ['POST', '/api/auth/sign-in'],
  ['POST', '/api/auth/resend-confirmation'],
  ['POST', '/api/auth/confirm'],
  ['POST', '/api/auth/forgot-password'],
  ['POST', '/api/auth/reset-password'],
  ['PUT', '/api/auth/password'],
  ['POST', '/api/auth/email'],
  ['POST', '/api/auth/change-email'],
  ['DELETE', '/api/auth/sessions/none'],
  ['PATCH', '/api/profile'],
  ['PUT', '/api/profile/avatar'],
  ['POST', '/api/posts'],
  ['PATCH', '/api/posts/none'],
  ['DELETE', '/api/posts/none'],
  ['POST', '/api/contact'],
  ['POST', '/api/newsletter'],
  ['POST', '/api/newsletter/confirm'],
  ['POST', '/api/careers'],
  ['POST', '/api/mail/resend-events'],
];

const longPaths: readonly (() => string)[] = [
  () => `/a${'/'.repeat(15_000)}`,
  () => `/${'a/'.repeat(7_000)}`,
  () => `/blog/${'%2e%2e%2f'.repeat(1_500)}`,
  () => `/${'.html'.repeat(3_000)}`,
  () => `/blog/${'-'.repeat(15_000)}`,
  () => `/?${'a=b&'.repeat(3_500)}`,
  () => `/api/${'%F0%9F%94%A5'.repeat(1_200)}`,
  () => '/\\'.repeat(5_000),
  () => `/uploads/avatars/${'../'.repeat(4_000)}site.db`,
  () => `/api/posts?cursor=${'A'.repeat(14_000)}`,
];

const hostileHeaders: readonly (() => Record<string, string>)[] = [
  () => ({ 'X-Forwarded-For': ',' }),
  () => ({ 'X-Forwarded-For': '1.2.3.4, not-an-address' }),
  () => ({ 'X-Forwarded-For': '1,'.repeat(5_000) }),
  () => ({ Cookie: `session=${'a'.repeat(12_000)}` }),
  () => ({ Cookie: 'session=a; '.repeat(1_000) }),
  () => ({ 'Accept-Encoding': 'br;q=0.1,'.repeat(1_500) }),
  () => ({ 'If-None-Match': '"a",'.repeat(3_000) }),
  () => ({ Range: `bytes=${'0-1,'.repeat(3_000)}` }),
  () => ({ 'User-Agent': 'Mozilla/5.0 ('.repeat(1_000) }),
  () => ({ 'Idempotency-Key': '"'.repeat(10_000) }),
];

/** Sends these bytes, then one more every three seconds for up to a minute. */
async function drip({ client: { url }, isOver }: World, head: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let isOpen = true;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
  });
  socket.resume();
  socket.write(head);
  for (let n = 0; isOpen && n < 20 && !isOver(); n += 1) {
    await setTimeout(3_000);
    if (isOpen) socket.write('a');
  }
  socket.destroy();
}

export const attacks: readonly Attack[] = [
  {
    name: 'posts of another author',
    pause: 50,
    async round(world, n) {
      const { session } = attacker(world, n);
      const { published, draft, linkId } = world.contents;
      const { id } = pick([published, draft], Math.floor(n / 2));
      const path = `/api/posts/${id}`;
      const [method, url, body] = pick<[method: string, path: string, body?: object]>(
        [
          ['PATCH', path, { published: n % 4 < 2 }],
          ['PATCH', path, { slug: `taken-${unique()}` }],
          ['PATCH', path, { content: `${unique()} `.repeat(10_000) }],
          ['PATCH', path, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }],
          ['DELETE', path],
          ['POST', `${path}/restore`],
          ['POST', `${path}/delete-forever`],
          ['GET', `${path}/revisions`],
          ['GET', `${path}/revisions/1`],
          ['PATCH', `${path}/revisions/1`, { name: unique() }],
          ['POST', `${path}/revisions/1/restore`, {}],
          ['GET', `${path}/draft-links`],
          ['POST', `${path}/draft-links`, { lifetime: 'P7D', pinned: false }],
          ['DELETE', `${path}/draft-links/${linkId}`],
          ['POST', '/api/posts', { ...post(unique(), 'Text.'), slug: published.slug }],
          ['GET', `/api/posts/${draft.slug}`],
          ['GET', `/blog/${draft.slug}`],
          ['GET', `/blog/editor/${draft.slug}`],
          ['GET', `/blog/editor/${draft.slug}/history`],
        ],
        n,
      );
      const { status, text } = await send(world, method, url, { session, body });
      if (status >= 200 && status < 300 && url.startsWith('/api/')) {
        world.report(`${method} ${url} was answered with ${status}`);
      }
      if (text.includes(secret)) world.report(`${method} ${url} revealed the draft`);
    },
  },
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
    name: 'names of combining characters',
    pause: 300,
    async round(world, n) {
      const fullName = pick(
        [
          `a${'\u0301'.repeat(60_000)}${'\u0327'.repeat(60_000)}`,
          'Fieldlight AI',
          `a${'\u0301'.repeat(90)}`,
          ' '.repeat(500_000),
          'ﷺ'.repeat(90),
        ],
        n,
      );
      const { session } = attacker(world, n);
      await send(world, 'PATCH', '/api/profile', { session, body: { fullName } });
      await send(world, 'PATCH', '/api/profile', { session, body: { username: fullName } });
    },
  },
  {
    name: 'long and malformed paths',
    pause: 20,
    workers: 2,
    async round(world, n) {
      await send(world, 'GET', pick(longPaths, n)());
    },
  },
  {
    name: 'hostile headers',
    pause: 40,
    async round(world, n) {
      const path = pick(['/', '/blog', '/api/posts', '/profile', '/blog/rss.xml'], n);
      await send(world, 'GET', path, { headers: pick(hostileHeaders, n)() });
    },
  },
  {
    name: 'junk to every endpoint',
    pause: 40,
    workers: 2,
    async round(world, n) {
      const [method, path] = pick(changes, n);
      const body = pick(junkBodies, Math.floor(n / changes.length))();
      const { session } = attacker(world, n);
      const forms = { 'Content-Type': 'application/x-www-form-urlencoded' };
      await send(world, method, path, { session, body, ...(n % 3 === 0 && { headers: forms }) });
    },
  },
  {
    name: 'bodies held back while the session ends',
    pause: 2_000,
    async round(world, n) {
      const { client, note } = world;
      const account = attacker(world, n);
      const credentials = { email: account.email, password };
      const signedIn = await send(world, 'POST', '/api/auth/sign-in', { body: credentials });
      const session = /^session=([^;]+)/.exec(
        signedIn.cookies.find((cookie) => cookie.startsWith('session=')) ?? '',
      )?.[1];
      if (session === undefined) return;
      const title = `Held back ${unique()}`;
      const body = JSON.stringify(post(title, 'Written after the session ended.'));
      const held = client.begin('POST', '/api/posts', { session }, Buffer.byteLength(body));
      held.request.write(body.slice(0, 20));
      await send(world, 'POST', '/api/auth/sign-out', { session });
      held.request.end(body.slice(20));
      const answer = note(await held.answer);
      if (answer.status === 201) world.report('a post was stored after its session had ended');
    },
  },
  {
    name: 'one byte every three seconds',
    pause: 1_000,
    workers: 30,
    async round(world, n) {
      const { url } = world.client;
      const head = `POST ${pick(['/api/contact', '/api/posts', '/api/auth/sign-in'], n)} HTTP/1.1\r\nHost: x\r\nOrigin: ${url}\r\nX-Forwarded-For: ${randomAddress()}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
      await drip(world, n % 2 === 0 ? head : 'GET / HTTP/1.1\r\nX-Slow: ');
    },
  },
  {
    name: 'a post that is renamed again and again',
    pause: 1_000,
    async round(world, n) {
      const { session } = attacker(world, n);
      const body = post(`Renamed ${unique()}`, 'Text.');
      const saved = savedPost(await send(world, 'POST', '/api/posts', { session, body }));
      if (!saved.post) return;
      const path = `/api/posts/${saved.post.id}`;
      for (let rename = 0; rename < 40; rename += 1) {
        await send(world, 'PATCH', path, { session, body: { slug: `renamed-${unique()}` } });
      }
      await send(world, 'DELETE', path, { session });
      if ((await send(world, 'GET', `/blog/${saved.post.slug}`)).status === 200) {
        world.report(`an old URL of the deleted ${saved.post.slug} is still a page`);
      }
    },
  },
  {
    name: 'emails to another person',
    pause: 60,
    async round(world, n) {
      const tag = n % 3 === 0 ? '' : `+${n % 50}`;
      const email = pick([`victim${tag}@example.com`, `stranger${tag}@example.com`], n);
      const [path, body] = pick<[string, object]>(
        [
          ['/api/auth/sign-up', { email, password }],
          ['/api/auth/resend-confirmation', { email }],
          ['/api/auth/forgot-password', { email }],
          ['/api/newsletter', { email }],
          ['/api/contact', { name: 'V', email, message: `${relayed} ${unique()}` }],
          ['/api/careers', { name: 'Vi', email, message: `${relayed} ${unique()}` }],
        ],
        Math.floor(n / 2),
      );
      await send(world, 'POST', path, { body });
    },
  },
  {
    name: 'cards of posts that are withdrawn',
    pause: 3_000,
    async round(world, n) {
      const { session } = attacker(world, n);
      const body = post(`Card ${unique()}`, 'Text.');
      const saved = savedPost(await send(world, 'POST', '/api/posts', { session, body }));
      if (!saved.post) return;
      const page = await send(world, 'GET', `/blog/${saved.post.slug}`);
      const card = /\/cards\/[^"./]+\.png/.exec(page.text)?.[0];
      const path = `/api/posts/${saved.post.id}`;
      const withdrawn = await send(world, 'PATCH', path, { session, body: { published: false } });
      if (
        card !== undefined &&
        withdrawn.status === 200 &&
        (await send(world, 'GET', card)).status === 200
      ) {
        world.report(`the card of the unpublished ${saved.post.slug} is still served`);
      }
      await send(world, 'DELETE', path, { session });
    },
  },
  {
    name: 'guessed passwords',
    pause: 10,
    workers: 8,
    async round(world, n) {
      const email = n % 2 === 0 ? world.accounts.victim.email : `nobody-${n % 100}@example.com`;
      await send(world, 'POST', '/api/auth/sign-in', { body: { email, password: unique() } });
    },
  },
  {
    name: 'broken avatars',
    pause: 500,
    async round(world, n) {
      const { session } = attacker(world, n);
      // A PNG that claims 65,000 × 65,000 pixels, or noise.
      const head = Buffer.from('89504e470d0a1a0a0000000d494844520000fde80000fde80802000000', 'hex');
      const file =
        n % 2 === 0 ? Buffer.concat([head, randomBytes(50_000)]) : randomBytes(1_000_000);
      const boundary = 'boundary';
      const body = Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
        ),
        file,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
      await send(world, 'PUT', '/api/profile/avatar', { session, body, headers });
    },
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
