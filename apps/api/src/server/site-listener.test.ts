import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeTestApp } from '../testing/test-app.ts';
import { createHttpServer } from './http-server.ts';
import { createSiteFiles, type SiteFiles } from './site-files.ts';
import { createSiteListener } from './site-listener.ts';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  length: number;
}

let root: string;
let files: SiteFiles;
let port: number;
let counted: string[];

const page = '<!doctype html><p>Blog</p>';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listener-'));
  files = createSiteFiles(root);
  counted = [];
  put('index.html', 'home');
  put('404.html', 'Oops!');
  put('blog.html', page);
  put('digits.txt', '0123456789');
  put('_astro/app.Bq3x.js', 'run()');
  put('logo.png', 'png');
  return () => rmSync(root, { recursive: true });
});

function put(name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

beforeEach(() => listen({ isHttps: false }));

/** Serves the files. The app behind them returns the method and URL that it receives. */
async function listen({ isHttps }: { isHttps: boolean }): Promise<() => void> {
  const server = createServer(
    createSiteListener(files, isHttps, {
      app: ({ method, url }, response) => {
        response.writeHead(418).end(`app: ${method} ${url}`);
      },
      metrics: { countFile: (encoding, status) => counted.push(`${encoding} ${status}`) },
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

function decode({ 'content-encoding': encoding }: IncomingHttpHeaders, bytes: Buffer): string {
  if (bytes.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** Unlike fetch, does not normalize the path. `length` is that of the encoded body. */
async function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const request = send({ host: '127.0.0.1', port, path, method, headers, agent: false });
  request.end();
  const [response] = await once(request, 'response');
  const bytes = await buffer(response);
  const { statusCode: status, headers: received } = response;
  return { status, headers: received, length: bytes.length, body: decode(received, bytes) };
}

/** The first request for a page is answered from the disk, later ones from memory. */
describe.each(['from the disk', 'from memory'])('a page %s', (from) => {
  beforeEach(async () => {
    if (from === 'from memory') await files.load('/blog');
  });

  test('has a content type, length and ETag, and must be revalidated', async () => {
    const { status, headers, body } = await ask('/blog');
    expect({ status, body }).toEqual({ status: 200, body: page });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(page.length),
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    expect(headers).not.toHaveProperty('content-encoding');
  });

  test('has security headers, and must not be framed', async () => {
    const { headers } = await ask('/blog');
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
  });
});

test('HEAD has the headers of GET and no body', async () => {
  const { date: _got, ...headers } = (await ask('/blog')).headers;
  const head = await ask('/blog', {}, 'HEAD');
  expect(head).toMatchObject({ status: 200, headers, body: '' });
});

test('caches hashed assets forever, and no other files', async () => {
  const cacheControl = async (path: string) => (await ask(path)).headers['cache-control'];
  expect(await cacheControl('/_astro/app.Bq3x.js')).toBe('public, max-age=31536000, immutable');
  expect(await cacheControl('/logo.png')).toBe('no-cache');
  expect(await cacheControl('/')).toBe('no-cache');
});

test('sends HSTS only if the public URL is https', async () => {
  expect((await ask('/blog')).headers).not.toHaveProperty('strict-transport-security');
  const stop = await listen({ isHttps: true });
  const { headers } = await ask('/blog');
  stop();
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
});

describe('the encoding', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, gzip;q=0.5', 'gzip'],
    ['br; q=0.000, gzip; q=0', undefined],
    ['br;q=0.1', 'br'],
    ['BR;Q=0, gzip', 'gzip'],
    ['deflate, zstd', undefined],
    ['x-br, gzipped', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('is chosen by Accept-Encoding: %j', async (accepted, encoding) => {
    const answer = await ask('/blog', { 'Accept-Encoding': accepted });
    expect(answer.body).toBe(page);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-length']).toBe(String(answer.length));
    expect(answer.headers.vary).toBe('Accept-Encoding');
  });

  test('is none for a file that is compressed already', async () => {
    const { headers, body } = await ask('/logo.png', { 'Accept-Encoding': 'gzip, br' });
    expect(body).toBe('png');
    expect(headers).not.toHaveProperty('content-encoding');
  });
});

describe('a conditional request', () => {
  const tagOf = async (encoding = ''): Promise<string> =>
    (await ask('/blog', { 'Accept-Encoding': encoding })).headers.etag ?? '';

  test.each(['identity', 'br'])(
    'gets 304 for its tag, weak, or in a list: %s',
    async (encoding) => {
      const etag = await tagOf(encoding);
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, headers, body } = await ask('/blog', {
          'If-None-Match': tag,
          'Accept-Encoding': encoding,
        });
        expect({ tag, status, body }).toEqual({ tag, status: 304, body: '' });
        expect(headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
      }
    },
  );

  test('returns the page for the ETag of another encoding', async () => {
    const headers = { 'If-None-Match': await tagOf('br'), 'Accept-Encoding': 'identity' };
    expect(await ask('/blog', headers)).toMatchObject({ status: 200 });
  });

  test('returns the page when it has changed', async () => {
    const tag = await tagOf();
    put('blog.html', '<p>New</p>');
    files.invalidate(['/blog']);
    expect(await ask('/blog', { 'If-None-Match': tag })).toMatchObject({
      status: 200,
      body: '<p>New</p>',
    });
  });
});

describe('a range', () => {
  test('is cut out of the uncompressed file', async () => {
    const headers = { Range: 'bytes=2-4', 'Accept-Encoding': 'br' };
    const answer = await ask('/digits.txt', headers);
    expect(answer).toMatchObject({
      status: 206,
      body: '234',
      headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3' },
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test.each([
    ['bytes=7-', '789'],
    ['bytes=-2', '89'],
    ['bytes=8-99', '89'],
  ])('%s is %s', async (range, body) => {
    expect(await ask('/digits.txt', { Range: range })).toMatchObject({ status: 206, body });
  });

  test('past the end gets 416 with the length', async () => {
    expect(await ask('/digits.txt', { Range: 'bytes=10-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */10' },
      body: '',
    });
  });

  test.each(['bytes=0-1,4-5', 'lines=1-2'])('%s gets the whole file', async (range) => {
    expect(await ask('/digits.txt', { Range: range })).toMatchObject({
      status: 200,
      body: '0123456789',
    });
  });

  test('with If-Range applies to the same version only', async () => {
    const tag = (await ask('/digits.txt')).headers.etag ?? '';
    const askFrom = (condition: string) =>
      ask('/digits.txt', { Range: 'bytes=8-', 'If-Range': condition });
    expect(await askFrom(tag)).toMatchObject({ status: 206, body: '89' });
    for (const condition of ['"other"', `W/${tag}`, 'Sun, 01 Mar 2026 12:00:00 GMT']) {
      expect(await askFrom(condition), condition).toMatchObject({
        status: 200,
        body: '0123456789',
      });
    }
  });

  test('is ignored for HEAD', async () => {
    expect(await ask('/digits.txt', { Range: 'bytes=2-4' }, 'HEAD')).toMatchObject({
      status: 200,
      headers: { 'content-length': '10' },
    });
  });
});

describe('canonical URLs', () => {
  test.each([
    ['/blog/', '/blog'],
    ['/blog.html', '/blog'],
    ['/blog///', '/blog'],
    ['/blog/?page=2&x=/', '/blog?page=2&x=/'],
    ['/blog.html?a=b', '/blog?a=b'],
    ['/index.html', '/'],
    ['/index', '/'],
    ['/index.html?a', '/?a'],
    ['/nothing/', '/nothing'],
  ])('%s redirects to %s', async (path, location) => {
    const { status, headers, body } = await ask(path);
    expect({ status, location: headers.location, body }).toEqual({
      status: 308,
      location,
      body: '',
    });
  });

  test('keeps the query', async () => {
    expect(await ask('/blog?utm=mail')).toMatchObject({ status: 200, body: page });
    expect(await ask('/?utm=mail')).toMatchObject({ status: 200, body: 'home' });
  });

  test.each([
    '//evil.example/',
    '//evil.example.html',
    '///evil.example/',
    '/\\evil.example/',
    '/\\/evil.example/',
    '//evil.example/%2e%2e/',
    'http://evil.example/',
    'http://evil.example/blog.html',
  ])('%s does not redirect to another site', async (path) => {
    const { status, headers } = await ask(path);
    expect({ status, location: headers.location }).toEqual({ status: 418, location: undefined });
  });
});

test.each([
  ['POST', '/blog'],
  ['PUT', '/blog'],
  ['DELETE', '/'],
  ['GET', '/api/posts'],
  ['GET', '/api/posts/'],
  ['GET', '/nothing'],
  ['GET', '/404'],
  ['GET', '/../site.db'],
  ['GET', '/%2e%2e/site.db'],
  ['GET', '/blog.html.br'],
  ['GET', '/%zz'],
])('passes %s %s to the app', async (method, path) => {
  expect(await ask(path, {}, method)).toMatchObject({
    status: 418,
    body: `app: ${method} ${path}`,
  });
});

test('counts responses by encoding and status', async () => {
  await ask('/blog', { 'accept-encoding': 'br' });
  const { headers } = await ask('/blog', { 'accept-encoding': 'gzip' });
  await ask('/blog', { 'accept-encoding': 'gzip', 'if-none-match': headers.etag ?? '' });
  await ask('/blog/');
  await ask('/digits.txt', { range: 'bytes=0-1' });
  await ask('/digits.txt', { range: 'bytes=90-91' });
  await ask('/digits.txt', { range: 'lines=1-2' });
  await ask('/api/anything');
  expect(counted).toEqual([
    'br 200',
    'gzip 200',
    'gzip 304',
    'identity 308',
    'identity 206',
    'identity 416',
    'identity 200',
  ]);
});

describe('with the app behind it', () => {
  test('serves the 404 page for missing paths', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const httpServer = createHttpServer({ ...testApp.deps, isHttps: false });
    port = await httpServer.listen(0, '127.0.0.1');
    httpServer.open(testApp.deps.siteFiles, testApp.app);
    const answers: Answer[] = [];
    for (const path of ['/nothing', '/about/nothing', '/404', '/../site.db', '/.env']) {
      answers.push(await ask(path));
    }
    const compressed = await ask('/nothing', { 'accept-encoding': 'gzip, br' });
    await httpServer.close();

    expect(compressed).toMatchObject({
      status: 404,
      headers: { 'content-encoding': 'br', vary: 'Accept-Encoding' },
    });
    for (const { status, headers, body } of answers) {
      expect({ status, type: headers['content-type'] }).toEqual({
        status: 404,
        type: 'text/html; charset=utf-8',
      });
      expect(body).toContain('Oops! Page not found');
    }
  });
});

describe('a connection', () => {
  /**
   * Sends a request unchanged and, in the same write, another one that ends the connection.
   * @returns the status line and headers of each response
   */
  async function headsOf(request: string): Promise<string[]> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${request}\r\n\r\nGET /blog HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).split(page).slice(0, -1);
  }

  test('of HTTP/1.1 stays open without a Connection header', async () => {
    const [first, ...more] = await headsOf('GET /blog HTTP/1.1\r\nHost: a');
    expect(first).not.toMatch(/^(?:connection|keep-alive):/im);
    expect(more).toHaveLength(1);
  });

  test('of HTTP/1.0 stays open on request, with a Connection header', async () => {
    const [first, ...more] = await headsOf('GET /blog HTTP/1.0\r\nConnection: keep-alive');
    expect(first).toMatch(/^connection: keep-alive/im);
    expect(more).toHaveLength(1);
  });

  test('is closed on request, with a Connection header', async () => {
    const { headers, body } = await ask('/blog', { Connection: 'close' });
    expect({ connection: headers.connection, body }).toEqual({ connection: 'close', body: page });
  });
});
