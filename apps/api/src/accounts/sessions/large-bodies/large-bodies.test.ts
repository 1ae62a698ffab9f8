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
    await send(testApp.browser(), name, headers, limits.postBodyBytes);
  }
  expect(isParsed()).toBe(false);
});

describe('an account that has sent 128 MB within a minute', () => {
  test('gets 429 for further large bodies, which are not parsed', async () => {
    expect(await sendUntilRefused(ann, 100)).toBe(64);
    const isParsed = watchParsing();
    for (const { name } of withLargeBodies) {
      for (const headers of [type.json, type.form]) {
        const response = await send(ann, name, headers, limits.bodyBytes + 1);
        expect([name, response.status, response.headers.get('Retry-After')]).toEqual([
          name,
          429,
          '60',
        ]);
        expect(await response.json()).toMatchObject({ code: 'too_many_requests' });
      }
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
