import { limits } from '@app/contract/limits';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { changingEndpoints } from '../../../testing/changing-endpoints.ts';
import { makeTestApp, signedInBrowser, type TestBrowser } from '../../../testing/test-app.ts';

const testApp = await makeTestApp();
const ann = await signedInBrowser(testApp);
const endpoints = await changingEndpoints(testApp.app);
afterAll(() => testApp[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

const type = {
  json: { 'Content-Type': 'application/json' },
  form: { 'Content-Type': 'application/x-www-form-urlencoded' },
  other: { 'Content-Type': 'text/plain' },
};

/** A body of `size` bytes, which no endpoint accepts as input. */
const bodyOf = (size: number) => Buffer.alloc(size, 'x');

const send = (
  browser: TestBrowser,
  name: string,
  headers: Record<string, string>,
  size: number,
) => {
  const [method = '', path = ''] = name.split(' ');
  return browser.request(method, path, { headers, body: bodyOf(size) });
};

/** Endpoints that accept large bodies. Uploads are limited before they are read. */
const withLargeBodies = endpoints.filter(
  ({ name, file }) => name.includes(' /api/posts') && file === undefined,
);
/** Endpoints that return the text of a form that they refuse. */
const saves = ['POST /api/posts', 'POST /api/posts/:post', 'PATCH /api/posts/:post'];

/** @returns whether a large body was decoded as text, which happens before it is parsed */
function watchParsing(): () => boolean {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  return () => decode.mock.calls.some(([bytes]) => (bytes?.byteLength ?? 0) > limits.bodyBytes);
}

/** @returns the number of bodies until one is refused */
async function sendUntilRefused(browser: TestBrowser, max: number): Promise<number> {
  for (let sent = 0; sent < max; sent += 1) {
    const { status } = await send(browser, 'POST /api/posts/preview', type.other, 2_097_152);
    if (status === 429) return sent;
  }
  throw new Error('nothing was refused');
}

test.each(endpoints)('$name does not parse a large body from a visitor', async ({ name }) => {
  const isParsed = watchParsing();
  for (const headers of [type.json, type.form]) {
    if (saves.includes(name) && headers === type.form) continue;
    await send(testApp.browser(), name, headers, limits.postBodyBytes);
  }
  expect(isParsed()).toBe(false);
});

describe('an account that has sent 128 MB within a minute', () => {
  test('gets 429 for further large bodies, which are not parsed', async () => {
    expect(await sendUntilRefused(ann, 100)).toBe(64);
    const isParsed = watchParsing();
    for (const { name } of withLargeBodies) {
      const json = await send(ann, name, type.json, limits.bodyBytes + 1);
      expect([name, json.status, await json.json()]).toEqual([
        name,
        429,
        expect.objectContaining({ code: 'too_many_requests' }),
      ]);
      const form = await send(ann, name, type.form, limits.bodyBytes + 1);
      expect([form.status, form.headers.get('Retry-After')]).toEqual([429, '60']);
      expect(await form.text()).toContain('"kind":"unreceivedForm","reason":"too-many"');
    }
    expect(withLargeBodies.length).toBeGreaterThan(10);
    expect(isParsed()).toBe(false);
  });

  test('can send small bodies, and other accounts large ones', async () => {
    expect((await ann.post('/api/posts', { title: 'Small', content: 'Text' })).status).toBe(201);
    const bob = await signedInBrowser(testApp, 'bob@example.com');
    const large = { title: 'Large', content: 'Text '.repeat(20_000) };
    expect((await bob.post('/api/posts', large)).status).toBe(201);
  });

  test('can send large bodies again after the minute', async () => {
    testApp.clock.move(60_000);
    const large = { title: 'Later', content: 'Text '.repeat(20_000) };
    expect((await ann.post('/api/posts', large)).status).toBe(201);
  });
});

test('limits visitors’ forms per IP address, before parsing them', async () => {
  const visitor = testApp.browser();
  const isParsed = watchParsing();
  expect(await sendUntilRefused(visitor, 20)).toBe(8);
  const response = await send(visitor, 'POST /api/posts', type.form, limits.postBodyBytes);
  expect(response.status).toBe(429);
  expect(isParsed()).toBe(false);
  // Another IP address is not limited.
  const other = await send(testApp.browser(), 'POST /api/posts', type.form, limits.postBodyBytes);
  expect([other.status, other.headers.get('Location')]).toEqual([
    303,
    expect.stringMatching(/^.auth/),
  ]);
});

test('counts a form with the size in which a page would show it', async () => {
  const visitor = testApp.browser();
  const body = `content=${'"'.repeat(400_000)}`;
  const statuses: number[] = [];
  for (let sent = 0; sent < 8; sent += 1) {
    const { status } = await visitor.request('POST', '/api/posts', { headers: type.form, body });
    statuses.push(status);
  }
  // Each has 2.4 MB as `&quot;`.
  expect(statuses).toEqual([413, 413, 413, 413, 413, 413, 429, 429]);
});
