import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { PostSaved } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import { close } from '@app/db/open';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf } from '../docs/document.ts';
import { changingEndpoints } from '../testing/changing-endpoints.ts';
import { documentOf } from '../testing/documented-responses.ts';
import { addPicture, putAvatar, smallPicture } from '../testing/pictures.ts';
import { makeTestApp, signedInBrowser, type TestApp, userOf } from '../testing/test-app.ts';
import { createHttpServer } from './http-server.ts';

const publicUrl = 'https://example.com';

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Serves a site with an https URL on a port of its own. */
async function serve() {
  const testApp = await makeTestApp({
    publishes: true,
    settings: {
      publicUrl,
      bodyTimeouts: { idle: 200, total: 400, uploadBytesPerSecond: 10_000, uploadsPerClient: 4 },
    },
  });
  const server = createHttpServer({ ...testApp.deps, isHttps: true });
  const port = await server.listen(0, '127.0.0.1');
  return { testApp, server, port, url: `http://127.0.0.1:${port}` };
}

let served: Awaited<ReturnType<typeof serve>>;
let testApp: TestApp;

beforeAll(async () => {
  served = await serve();
  testApp = served.testApp;
  served.server.open(testApp.deps.siteFiles, testApp.app);
});
afterAll(async () => {
  await served.server.close();
  await testApp[Symbol.asyncDispose]();
});

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  cookies?: string;
  body?: string;
}

/** Unlike fetch, sends conditional requests unchanged. */
async function ask(path: string, { method = 'GET', headers, cookies, body }: Sent = {}) {
  const request = send(served.url, {
    path,
    method,
    agent: false,
    headers: {
      ...(method !== 'GET' && { Origin: publicUrl }),
      ...(cookies !== undefined && { Cookie: cookies }),
      ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const received = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const { statusCode: status = 0 } = response;
  const bytes = await buffer(response);
  return new Response(bytes.length > 0 ? bytes : null, { status, headers: received });
}

const cookiesOf = ({ cookies }: { cookies: ReadonlyMap<string, string> }): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Expects the headers that every response must have. */
function expectSecurityHeaders(response: Response, what: string): void {
  const headers = Object.fromEntries(response.headers);
  expect({ what, headers }).toMatchObject({
    what,
    headers: {
      'x-content-type-options': 'nosniff',
      'referrer-policy': expect.stringMatching(
        /^(?:strict-origin-when-cross-origin|same-origin|no-referrer)$/,
      ),
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': expect.stringMatching(/^(?:same|cross)-origin$/),
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'cache-control': expect.any(String),
    },
  });
  const policy = headers['content-security-policy'] ?? '';
  expect([what, policy]).not.toEqual([what, expect.stringContaining('unsafe')]);
  const directives = policy.split('; ');
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html') === true;
  // The editor shows previews in this frame.
  if (isPage && what.includes('/api/preview-frame'))
    expect(directives).toContain("frame-ancestors 'self'");
  else
    expect([what, directives]).toEqual([what, expect.arrayContaining(["frame-ancestors 'none'"])]);
  if (isPage) expect([what, policy]).toEqual([what, expect.stringContaining("base-uri 'none'")]);
  else expect([what, policy]).toEqual([what, expect.stringContaining("default-src 'none'")]);
}

test('every endpoint sends the security headers, whether it succeeds or refuses', async () => {
  const ann = await signedInBrowser(testApp);
  const created = await ann.post('/api/posts', { title: 'First', content: 'Text', slug: 'first' });
  const { id } = ((await created.json()) as PostSaved).post;
  const idOf = (path: string): string =>
    path
      .replace(/\{(?:post|id)\}/, id)
      .replace('{version}', '1')
      .replace(/\{\w+\}/g, 'unknown');
  const bodies = new Map(
    (await changingEndpoints(testApp.app)).map(({ name, body }) => [name, body]),
  );
  const statuses = new Set<number>();
  const expectHeaders = async (method: string, path: string, sent: Sent) => {
    const response = await ask(path, { method, ...sent });
    statuses.add(response.status);
    expectSecurityHeaders(response, `${method} ${path} ${response.status}`);
  };

  const operations = operationsOf(await documentOf(testApp.app));
  for (const [index, { method, path }] of operations.entries()) {
    const url = idOf(path);
    const body = bodies.get(`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    // Some endpoints end the session.
    const user = method === 'GET' ? ann : await signedInBrowser(testApp, `u${index}@example.com`);
    const cookies = cookiesOf(user);
    const sent = body ? { headers: json, body: JSON.stringify(body) } : {};
    await expectHeaders(method, url, sent);
    await expectHeaders(method, url, { cookies, ...sent });
    if (method === 'GET') {
      await expectHeaders('QUERY', url, {});
      continue;
    }
    await expectHeaders(method, url, { cookies, headers: json, body: '{"surprise":1}' });
    await expectHeaders(method, url, { cookies, headers: form, body: 'email=x' });
    await expectHeaders(method, url, { headers: { Origin: 'https://evil.example' } });
  }
  expect(operations.length).toBeGreaterThan(60);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 303, 401, 403, 404, 405, 422]));
});

test('every kind of file has security headers: whole, in part, unchanged, and moved', async () => {
  const names = ['_astro/a.js', '_astro/a.css', '_astro/a.woff2', 'a.png', 'a.svg', 'a.avif']
    .concat(['a.ico', 'a.txt', 'a.xml', 'a.md', 'a.json', 'a.webmanifest', 'a.unheard-of'])
    .concat(['a.html', 'a.pdf', 'blog/rss.xml', 'blog/atom.xml', 'blog/feed.json']);
  for (const name of names) {
    const file = join(testApp.dataDir, 'site', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '0123456789');
  }
  testApp.deps.siteFiles.invalidateAll();
  for (const name of names) {
    const path = `/${name.replace('.html', '')}`;
    const whole = await ask(path);
    expect([path, whole.status]).toEqual([path, 200]);
    expectSecurityHeaders(whole, path);
    const conditional = { 'If-None-Match': whole.headers.get('ETag') ?? '' };
    for (const [status, headers] of [
      [304, conditional],
      [206, { Range: 'bytes=0-1' }],
      [416, { Range: 'bytes=99-' }],
    ] as const) {
      const response = await ask(path, { headers });
      expect([path, response.status]).toEqual([path, status]);
      // Without a body, it has no content type to tell which headers to expect.
      if (status !== 304) expectSecurityHeaders(response, `${path} ${status}`);
      else expect(securityOf(response)).toEqual(securityOf(whole));
    }
  }
  const image = await ask('/a.png');
  expect(image.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect((await ask('/a')).headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');

  for (const path of ['/a.html', '/a/', '/index.html']) {
    const moved = await ask(path);
    expect([path, moved.status]).toEqual([path, 308]);
    expect(securityOf(moved)).toEqual(securityOf(await ask('/a.txt')));
  }
});

const securityOf = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(([name]) => /policy|security|nosniff|x-content/.test(name)),
  );

test('personal pages, missing pages and uploads have security headers', async () => {
  const ann = await signedInBrowser(testApp, 'pages@example.com');
  const cookies = cookiesOf(ann);
  const picture = await addPicture(ann, await smallPicture());
  await putAvatar(ann, await smallPicture());
  const avatar = (await userOf(ann))?.avatarUrl ?? '';
  expect(avatar).toMatch(/^\/uploads\//);
  for (const [path, status] of [
    ['/profile', 200],
    ['/blog/editor/new', 404],
    ['/blog/search?q=x', 200],
    ['/blog/no-such-post', 404],
    ['/blog/no-such-post.md', 404],
    ['/blog/draft/none', 404],
    ['/auth/reset', 303],
    ['/nothing', 404],
    ['/404', 404],
    ['//evil.example/', 404],
    ['/blog/feed.xml', 301],
    [picture.path, 200],
    [picture.path.replace('.webp', '.avif'), 200],
    [avatar, 200],
    ['/uploads/none', 404],
    ['/api/docs', 200],
    ['/api/openapi.json', 200],
  ] as const) {
    const response = await ask(path, { cookies });
    expect([path, response.status]).toEqual([path, status]);
    expectSecurityHeaders(response, path);
  }
});

test('responses to bodies that are too large or never arrive have security headers', async () => {
  const large = { method: 'POST', body: 'x'.repeat(limits.bodyBytes + 1) };
  const refused = await ask('/api/contact', { ...large, headers: json });
  expect(refused.status).toBe(413);
  expectSecurityHeaders(refused, 'too large');
  const page = await ask('/api/contact', { ...large, headers: form });
  expect([page.status, page.headers.get('Content-Type')]).toEqual([
    413,
    'text/html; charset=UTF-8',
  ]);
  expectSecurityHeaders(page, 'too large, as a page');

  const socket = connect(served.port, '127.0.0.1');
  socket.write(
    `POST /api/contact HTTP/1.1\r\nHost: a\r\nOrigin: ${publicUrl}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  const head = (await text(socket)).split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  expect(head[0]).toBe('HTTP/1.1 408 Request Timeout');
  const lines = head.slice(1).map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name, value.join(': ')];
  });
  expectSecurityHeaders(new Response('', { headers: lines }), 'too slow');
});

test('failures and responses during the start have security headers', async () => {
  const other = await serve();
  const starting = await fetch(`${other.url}/api/health`);
  expect(starting.status).toBe(503);
  expectSecurityHeaders(starting, 'starting');

  other.server.open(other.testApp.deps.siteFiles, other.testApp.app);
  close(other.testApp.deps.db);
  const failed = await fetch(`${other.url}/api/posts`);
  expect(failed.status).toBe(500);
  expectSecurityHeaders(failed, 'failed');
  const failedPage = await fetch(`${other.url}/blog/none`);
  expect(failedPage.status).toBe(500);
  expectSecurityHeaders(failedPage, 'failed page');
  await other.server.close();
});

test('sends HSTS only for https', async () => {
  await using plain = await makeTestApp({ publishes: true });
  const server = createHttpServer({ ...plain.deps, isHttps: false });
  const port = await server.listen(0, '127.0.0.1');
  const hasHsts = async (path: string) => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    return headers.has('Strict-Transport-Security');
  };
  expect(await hasHsts('/api/health')).toBe(false);
  server.open(plain.deps.siteFiles, plain.app);
  for (const path of ['/', '/api/health', '/nothing', '/a.html']) {
    expect([path, await hasHsts(path)]).toEqual([path, false]);
  }
  await server.close();
});
