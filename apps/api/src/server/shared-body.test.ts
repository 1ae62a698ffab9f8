import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { decoded } from '../testing/decoded.ts';
import { makeTestApp } from '../testing/test-app.ts';
import type { AppEnv } from './context.ts';
import { createRepresentations } from './representations.ts';
import { sharedBody } from './shared-body.ts';

const text = 'The same for everyone. '.repeat(100);

function makeApp({
  status = 200,
  create = () => text,
}: {
  status?: 200 | 404;
  create?: () => string;
}) {
  const answer = sharedBody('text/plain', create);
  return new Hono<AppEnv>()
    .get('/', (c) => {
      c.status(status);
      return answer(c);
    })
    .onError((error, c) => c.text(error.message, 500));
}

const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  ['identity', (bytes: Buffer) => bytes],
])('encodes the body as %s, with an ETag of its own', async (encoding, decode) => {
  const app = makeApp({});
  const response = await app.request('/', { headers: { 'Accept-Encoding': encoding } });
  const bytes = await bytesOf(response);
  expect(decode(bytes).toString()).toBe(text);
  expect(response.headers.get('Content-Encoding') ?? 'identity').toBe(encoding);
  expect(response.headers.get('Content-Length')).toBe(String(bytes.length));
  expect(response.headers.get('Vary')).toBe('Accept-Encoding');

  const etag = response.headers.get('ETag') ?? '';
  const again = (accepted: string) =>
    app.request('/', { headers: { 'Accept-Encoding': accepted, 'If-None-Match': etag } });
  const fresh = await again(encoding);
  expect([fresh.status, fresh.headers.get('ETag'), await fresh.text()]).toEqual([304, etag, '']);
  expect(fresh.headers.get('Content-Length')).toBeNull();
  expect((await again(encoding === 'br' ? 'gzip' : 'br')).status).toBe(200);
});

test('answers HEAD with the headers of GET', async () => {
  const app = makeApp({});
  const [head, get] = [await app.request('/', { method: 'HEAD' }), await app.request('/')];
  expect(await head.text()).toBe('');
  expect([...head.headers]).toEqual([...get.headers]);
});

test('ignores conditions when the page is an error', async () => {
  const app = makeApp({ status: 404 });
  const etag = (await app.request('/')).headers.get('ETag') ?? '';
  const response = await app.request('/', { headers: { 'If-None-Match': etag } });
  expect([response.status, await response.text()]).toEqual([404, text]);
});

test('creates the body once, for concurrent requests too, and again after a failure', async () => {
  let created = 0;
  const app = makeApp({
    create() {
      created += 1;
      if (created === 1) throw new Error('broken');
      return text;
    },
  });
  expect((await app.request('/')).status).toBe(500);
  await Promise.all([app.request('/'), app.request('/')]);
  expect((await app.request('/')).status).toBe(200);
  expect(created).toBe(2);
});

describe('what does not depend on the request', () => {
  test.each([
    '/api/openapi.json',
    '/api/docs',
    '/api/docs/reference',
    '/api/docs/assets/docs.css',
    '/api/docs/assets/reference.js',
    '/api/docs/assets/swagger-ui.css',
    '/api/docs/assets/swagger-ui-bundle.js',
    '/api/preview-frame',
    '/blog/search',
  ])('%s is compressed and answers 304', async (path) => {
    await using testApp = await makeTestApp();
    const browser = testApp.browser();
    const headers = { 'Accept-Encoding': 'gzip' };
    const response = await browser.request('GET', path, { headers });
    expect(response.headers.get('Content-Encoding')).toBe('gzip');
    expect(response.headers.get('Cache-Control')).toMatch(/^(?:no-cache|public, max-age=\d+)$/);
    expect((await decoded(response).text()).length).toBeGreaterThan(0);

    const etag = response.headers.get('ETag') ?? '';
    const conditional = { headers: { ...headers, 'If-None-Match': etag } };
    expect((await browser.request('GET', path, conditional)).status).toBe(304);
    expect((await browser.request('HEAD', path, { headers })).headers.get('ETag')).toBe(etag);
  });

  test.each(['/blog/none', '/blog/draft/none'])(
    'the page of %s is rendered once and compressed',
    async (path) => {
      await using testApp = await makeTestApp();
      const { renderer } = testApp.deps;
      let rendered = 0;
      const { render } = renderer;
      renderer.render = (...args) => {
        rendered += 1;
        return render(...args);
      };
      for (const end of ['', '-1', '-2']) {
        const headers = { 'Accept-Encoding': 'br' };
        const response = await testApp.browser().request('GET', path + end, { headers });
        expect(response.status).toBe(404);
        expect(response.headers.get('Content-Encoding')).toBe('br');
      }
      expect(rendered).toBe(1);
    },
  );
});

test('compresses a body once for each encoding', async () => {
  const grown: number[] = [];
  const representations = createRepresentations(Buffer.from(text), true, (bytes) => {
    grown.push(bytes);
  });
  const [first, atOnce] = await Promise.all([
    representations.load('br'),
    representations.load('br'),
  ]);
  const later = await representations.load('br');
  expect([atOnce.body === first.body, later.body === first.body]).toEqual([true, true]);
  expect(grown).toEqual([first.body.length]);
});
