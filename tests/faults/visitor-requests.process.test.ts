import { Agent, get, type IncomingMessage } from 'node:http';
import { operationsOf } from '@app/api/src/docs/document.ts';
import { features } from '@app/api/src/features.ts';
import { beforeAll, expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { Writer } from '../support/writer.ts';

const token = 'f'.repeat(32);

/** CPU of a request, as a multiple of that of a published page. The slowest are at about 6. */
const maxRatio = 15;

/** Pages rendered for each request, because they depend on it. */
const maxRatioRendered = 60;

const requestsAtOnce = 8;
const requestsPerBatch = 80;

/** For each route with parameters: paths that exist, if visitors may read any, and one that does not. */
const paths: Readonly<Record<string, readonly string[]>> = {
  '/api/authors/{id}': ['/api/authors/user-ann', '/api/authors/nobody'],
  '/api/docs/assets/{name}': [
    '/api/docs/assets/docs.css',
    '/api/docs/assets/reference.js',
    '/api/docs/assets/swagger-ui.css',
    '/api/docs/assets/swagger-ui-bundle.js',
    '/api/docs/assets/none',
  ],
  '/api/posts/{post}': ['/api/posts/a-post', '/api/posts/none'],
  '/api/posts/{post}/draft-links': ['/api/posts/a-post/draft-links'],
  '/api/posts/{post}/publishing': ['/api/posts/a-post/publishing'],
  '/api/posts/{post}/revisions': ['/api/posts/a-post/revisions'],
  '/api/posts/{post}/revisions/{version}': ['/api/posts/a-post/revisions/1'],
  '/api/posts/drafts/{id}': ['/api/posts/drafts/none'],
  '/api/posts/slugs/{slug}': ['/api/posts/slugs/none'],
  '/api/search': ['/api/search', '/api/search?q=post', '/api/search?q=postt+none'],
  '/blog/:file{[a-z0-9_-]+[.]md}': ['/blog/a-post.md', '/blog/none.md'],
  '/blog/:slug': ['/blog/a-post', '/blog/a-draft', '/blog/none', `/blog/${'none'.repeat(40)}`],
  '/blog/draft/:token': ['/blog/draft/none'],
  '/blog/editor/:slug': ['/blog/editor/a-post'],
  '/blog/editor/:slug/history': ['/blog/editor/a-post/history'],
  '/blog/search': ['/blog/search', '/blog/search?q=post', '/blog/search?q=none'],
  '/careers/again/:token': ['/careers/again/none'],
  '/contact/again/:token': ['/contact/again/none'],
  '/pictures/{picture}/{name}': ['/pictures/none/640.avif'],
  '/uploads/avatars/{userId}/{name}': ['/uploads/avatars/user-ann/none.webp'],
};

const rendered = ['/blog/search?q=post', '/blog/search?q=none'];

/** What a stranger can try although no route is declared for it. */
const otherPaths = [
  ...['/blog', '/blog/rss.xml', '/blog/feed.json', '/robots.txt', '/sitemap.xml', '/favicon.ico'],
  ...['/auth', '/auth/', '/none', '/none.png', '/none.html', '/uploads/none', '/cards/none.png'],
  ...['/_astro/none.js', '/api/none', '/api/posts/a-post/none', '/%E0%A4%A', '/.env', '/404'],
  ...['/auth/confirm?token=none', '/auth/reset?token=none', '/newsletter/confirm?token=none'],
];

const encodings = ['br', 'gzip'];

let site: SiteProcess;
const agent = new Agent({ keepAlive: true, maxSockets: requestsAtOnce });

beforeAll(async () => {
  const folder = temporaryFolder();
  site = await SiteProcess.start({
    dataDir: folder.path,
    env: { METRICS_TOKEN: token, TRUST_PROXY: '127.0.0.1, ::1' },
  });
  const ann = Writer.add(site);
  const post = { title: 'A post', slug: 'a-post', content: 'A post', published: true };
  expect((await ann.call('POST', '/api/posts', post)).status).toBe(201);
  const draft = { title: 'A draft', slug: 'a-draft', content: 'A draft', published: false };
  expect((await ann.call('POST', '/api/posts', draft)).status).toBe(201);
  return async () => {
    agent.destroy();
    await site[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
});

/** Every path that a visitor may request: those of all routes, and others. */
async function visitorPaths(): Promise<string[]> {
  const document = (await (await fetch(`${site.url}/api/openapi.json`)).json()) as {
    paths: object;
  };
  const endpoints = operationsOf(document)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path);
  const pages = features.flatMap(({ personalPages = {} }) => Object.keys(personalPages));
  return [...endpoints, ...pages].flatMap((path) => {
    const known = paths[path];
    if (!known && /[:{]/.test(path)) throw new Error(`add examples of ${path} to \`paths\``);
    return known ?? [path];
  });
}

let clients = 0;

/** Each request comes from another address, so that none is refused because of a limit. */
function request(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  clients += 1;
  const address = `198.18.${(clients >> 8) & 255}.${clients & 255}`;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const all = { 'X-Forwarded-For': address, Accept: 'text/html', ...headers };
  get({ port: site.port, path, agent, headers: all }, (response) => {
    response.resume().once('end', () => resolve(response));
  }).once('error', reject);
  return promise;
}

async function cpuSeconds(): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  const text = await (await fetch(`${site.url}/api/metrics`, { headers })).text();
  return Number(/^process_cpu_seconds_total ([\d.e-]+)$/m.exec(text)?.[1]);
}

/** Seconds of the server's CPU for a batch of requests. */
async function cost(path: string, encoding: string): Promise<number> {
  const headers = { 'Accept-Encoding': encoding };
  await request(path, headers);
  const before = await cpuSeconds();
  await Promise.all(
    Array.from({ length: requestsAtOnce }, async () => {
      for (let n = 0; n < requestsPerBatch / requestsAtOnce; n += 1) await request(path, headers);
    }),
  );
  return (await cpuSeconds()) - before;
}

test('no request of a visitor costs much more than a published page', {
  timeout: 300_000,
}, async () => {
  // The first requests of a process are slower.
  let published = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 8; n += 1) published = Math.min(published, await cost('/about', 'br'));

  const tooSlow: string[] = [];
  for (const path of [...(await visitorPaths()), ...otherPaths]) {
    const isAsset = path.startsWith('/api/docs') || path === '/api/openapi.json';
    for (const encoding of isAsset ? encodings : ['br']) {
      const max = rendered.includes(path) ? maxRatioRendered : maxRatio;
      let ratio = (await cost(path, encoding)) / published;
      // Something else may have slowed down the batch.
      for (let tries = 0; tries < 4 && ratio > max; tries += 1) {
        published = await cost('/about', 'br');
        ratio = Math.min(ratio, (await cost(path, encoding)) / published);
      }
      if (ratio > max) tooSlow.push(`${path} (${encoding}): ${ratio.toFixed(1)}`);
    }
  }
  expect(tooSlow).toEqual([]);
});
