import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { headersOf } from '@app/api/src/server/site-rules.ts';
import type { PostSaved } from '@app/contract/blog/posts';
import { freePort } from '@app/db/testing/free-port';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchOptions } from '../support/browser.ts';
import { runCli } from '../support/cli.ts';
import { isFullRun } from '../support/full-run.ts';
import { publishedPort, SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { startWebServer, webServers } from '../support/web-servers.ts';
import { Writer } from '../support/writer.ts';

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
/** The URL of the web servers, which run one after the other. */
let publicUrl: string;
let site: SiteProcess;
let cookie: string;
let picture: string;

beforeAll(async () => {
  publicUrl = `http://localhost:${await publishedPort(dataDir)}`;
  site = await SiteProcess.start({
    dataDir,
    port: await freePort(),
    env: { PUBLIC_URL: publicUrl },
  });
  const writer = Writer.add(site);
  cookie = writer.cookie;
  const create = async (post: object) =>
    ((await (await writer.call('POST', '/api/posts', post)).json()) as PostSaved).post;
  const { id } = await create({ title: 'Old', content: 'Text', published: true });
  await writer.call('PATCH', `/api/posts/${id}`, { slug: 'new' });
  await create({ title: 'Unfinished', content: 'Nobody else reads it' });
  const { default: sharp } = await import('sharp');
  const image = sharp({ create: { width: 60, height: 40, channels: 3, background: '#d33' } });
  const uploaded = await writer.uploadPicture(new Uint8Array(await image.png().toBuffer()));
  picture = ((await uploaded.json()) as { path: string }).path;
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Unlike fetch, does not normalize the path. */
async function ask(url: string, path: string, { method = 'GET', headers, body }: Asked = {}) {
  const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
  const origin = method === 'GET' ? {} : { Origin: publicUrl };
  const request = send(url, {
    path,
    method,
    agent: false,
    headers: { 'Accept-Encoding': 'gzip', ...origin, ...length, ...headers },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  const isGzip = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
  const received = Object.entries(response.headersDistinct).map(([name, values = []]) => [
    name,
    // A header that is sent twice must not equal one that is sent once.
    values.join(' AND '),
  ]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(received),
    body: (isGzip ? gunzipSync(bytes) : bytes).toString(),
  } satisfies Answer;
}

/** The same expectations for this server and for others. */
async function expectSameAnswers(url: string): Promise<void> {
  const expectAnswer = async (
    path: string,
    expected: Partial<Omit<Answer, 'body'>> & { body?: unknown },
    asked: Asked = {},
  ): Promise<Answer> => {
    const answer = await ask(url, path, asked);
    expect({ path, ...asked, ...answer }).toMatchObject({ path, ...expected });
    return answer;
  };
  const headersFor = (name: string) =>
    Object.fromEntries(
      Object.entries(headersOf(name, false)).map(([header, value]) => [
        header.toLowerCase(),
        value,
      ]),
    );

  // Files, with clean URLs.
  for (const [path, name, type] of [
    ['/', 'index.html', 'text/html; charset=utf-8'],
    ['/about', 'about.html', 'text/html; charset=utf-8'],
    ['/about?utm=mail', 'about.html', 'text/html; charset=utf-8'],
    ['/blog', 'blog.html', 'text/html; charset=utf-8'],
    ['/blog/new', 'blog/new.html', 'text/html; charset=utf-8'],
    ['/blog/new.md', 'blog/new.md', 'text/markdown; charset=utf-8'],
    ['/blog/rss.xml', 'blog/rss.xml', 'application/rss+xml; charset=utf-8'],
    ['/blog/atom.xml', 'blog/atom.xml', 'application/atom+xml; charset=utf-8'],
    ['/blog/feed.json', 'blog/feed.json', 'application/feed+json; charset=utf-8'],
    ['/sitemap.xml', 'sitemap.xml', 'application/xml; charset=utf-8'],
    ['/robots.txt', 'robots.txt', 'text/plain; charset=utf-8'],
    ['/favicon.ico', 'favicon.ico', 'image/x-icon'],
    ['/site.webmanifest', 'site.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['/.well-known/security.txt', '.well-known/security.txt', 'text/plain; charset=utf-8'],
  ] as const) {
    const headers = { ...headersFor(name), 'content-type': type };
    const answer = await expectAnswer(path, { status: 200, headers });
    const encoding = { 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
    expect([path, answer.headers]).toEqual([path, expect.objectContaining(encoding)]);
    // Conditional requests, and HEAD.
    const { etag = '' } = answer.headers;
    await expectAnswer(path, { status: 304, body: '' }, { headers: { 'If-None-Match': etag } });
    await expectAnswer(path, { status: 200, headers, body: '' }, { method: 'HEAD' });
    const plain = await ask(url, path, { headers: { 'Accept-Encoding': 'identity' } });
    expect([path, plain.headers['content-encoding'], plain.body]).toEqual([
      path,
      undefined,
      answer.body,
    ]);
  }
  const { body: home } = await ask(url, '/');
  const asset = /\/_astro\/[\w./-]+\.woff2/.exec(home)?.[0] ?? '';
  await expectAnswer(asset, {
    status: 200,
    headers: { ...headersFor('_astro/a.woff2'), 'content-type': 'font/woff2' },
  });
  await expectAnswer('/icon-192.png', {
    status: 200,
    headers: { ...headersFor('icon-192.png'), 'content-type': 'image/png' },
  });
  await expectAnswer(
    '/robots.txt',
    { status: 206, body: 'User' },
    {
      headers: { Range: 'bytes=0-3', 'Accept-Encoding': 'identity' },
    },
  );

  // Redirects.
  for (const [path, location] of [
    ['/about/', '/about'],
    ['/about.html', '/about'],
    ['/about.html/', '/about'],
    ['/about///', '/about'],
    ['/about/?a=b&c=/', '/about?a=b&c=/'],
    ['/about.html?a=b', '/about?a=b'],
    ['/index', '/'],
    ['/index.html', '/'],
    ['/index.html?a=b', '/?a=b'],
    ['/nothing/', '/nothing'],
    ['/caf%C3%A9/', '/caf%C3%A9'],
  ] as const) {
    await expectAnswer(path, {
      status: 308,
      headers: {
        location,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as never,
      },
    });
  }
  for (const path of ['//evil.example/', '//evil.example.html', '/\\evil.example/']) {
    const { status, headers } = await ask(url, path);
    expect([path, status >= 400, headers['location']]).toEqual([path, true, undefined]);
  }

  // Missing paths.
  const { 'cache-control': _, ...pageHeaders } = headersFor('404.html');
  for (const path of [
    '/nothing',
    '/nothing?a=b',
    '/about/nothing',
    '/404',
    '/about.html.br',
    '/about.html.gz',
    '/_astro/none.js',
    '/.env',
    '/nothing.png',
    '/a%2Fb',
  ]) {
    const { body } = await expectAnswer(path, {
      status: 404,
      headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' },
    });
    expect([path, body]).toEqual([path, expect.stringContaining('Page not found')]);
  }

  // The API, with its own headers.
  const data = headersFor('file.txt');
  await expectAnswer('/api/health/live', {
    status: 200,
    headers: { ...data, 'cache-control': 'no-store' },
  });
  await expectAnswer('/api/posts/', {
    status: 404,
    headers: { 'content-type': 'application/problem+json; charset=utf-8' },
  });
  await expectAnswer('/blog/old', { status: 301, headers: { location: '/blog/new' } });
  await expectAnswer('/blog/old.md', { status: 301, headers: { location: '/blog/new.md' } });
  await expectAnswer('/blog/feed.xml', { status: 301, headers: { location: '/blog/rss.xml' } });
  await expectAnswer(picture, {
    status: 200,
    headers: { 'content-type': 'image/webp', 'cross-origin-resource-policy': 'cross-origin' },
  });
  await expectAnswer('/auth/reset', {
    status: 303,
    headers: { location: '/auth/forgot#dead-link' },
  });

  // Personal pages, and drafts, which only their author can read.
  const author = { headers: { Cookie: cookie } };
  const personal = { ...pageHeaders, 'referrer-policy': 'same-origin' };
  await expectAnswer('/blog/search?q=text', { status: 200, headers: personal });
  await expectAnswer('/profile', { status: 303, headers: { location: '/auth?next=%2Fprofile' } });
  await expectAnswer('/profile', { status: 200, headers: personal }, author);
  const draft = await expectAnswer('/blog/unfinished', { status: 200, headers: personal }, author);
  expect(draft.body).toContain('Nobody else reads it');
  expect((await expectAnswer('/blog/unfinished', { status: 404 })).body).not.toContain(
    'Nobody else',
  );
  await expectAnswer('/blog/editor/new', { status: 200 }, author);

  // Forms without scripts.
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const rejected = await expectAnswer(
    '/api/contact',
    { status: 303, headers: { location: expect.stringMatching(/^\/contact\/again\//) as never } },
    { method: 'POST', headers: form, body: 'name=Nora+Noscript&email=nora&message=Hello' },
  );
  const again = await expectAnswer(rejected.headers['location'] ?? '', { status: 200 });
  expect(again.body).toContain('Nora Noscript');
  await expectAnswer(
    '/api/newsletter',
    { status: 303 },
    { method: 'POST', headers: form, body: 'email=nora%40example.com' },
  );
  for (const [method, path] of [
    ['POST', '/about'],
    ['DELETE', '/'],
    ['PUT', '/robots.txt'],
  ] as const) {
    const headers = { 'content-type': 'application/problem+json; charset=utf-8' };
    await expectAnswer(path, { status: 404, headers }, { method });
  }
  const evil = {
    method: 'POST',
    headers: { ...form, Origin: 'https://evil.example' },
    body: 'a=b',
  };
  await expectAnswer('/api/contact', { status: 403 }, evil);
}

test('this server returns the expected responses', async () => {
  await expectSameAnswers(site.url);
});

for (const [name, program] of Object.entries(webServers)) {
  if (!existsSync(program)) console.log(`Tests with ${name} are skipped: ${program} is missing`);
}

describe.each(['caddy', 'nginx'] as const)('%s with its generated configuration', (name) => {
  test.runIf(existsSync(webServers[name]))(
    'returns the same responses, and pages work',
    async () => {
      const exported = join(folder.path, name);
      runCli(dataDir, 'site', 'export', exported, '--host', name, '--api', site.url);
      await using _ = await startWebServer(
        name,
        exported,
        join(folder.path, `${name}-run`),
        publicUrl,
      );
      await expectSameAnswers(publicUrl);
      // Only announced: the server would close the connection while the body is sent.
      const large = { method: 'POST', headers: { 'Content-Length': '17000000' } };
      expect((await ask(publicUrl, '/api/contact', large)).status).toBe(413);
      if (isFullRun) await expectWorkingPages();
    },
  );
});

/** Uses a form in a browser, with the policies of the page and of the host. */
async function expectWorkingPages(): Promise<void> {
  const browser = await chromium.launch(launchOptions);
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${publicUrl}/`);
    await page.getByRole('link', { name: 'Contact' }).first().click();
    await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera Visitor');
    await page.getByRole('textbox', { name: 'Email' }).first().fill('vera@example.com');
    await page.getByRole('textbox', { name: 'Message' }).fill('The phone rings.');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent!').filter({ visible: true }).waitFor();
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
  }
}
