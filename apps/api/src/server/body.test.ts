import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { limits } from '@app/contract/limits';
import { getRequestListener } from '@hono/node-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { holdRequest } from '../testing/held-request.ts';
import { fileForm, plainPicture } from '../testing/pictures.ts';
import { allRows } from '../testing/tables.ts';
import {
  makeTestApp,
  publicUrl,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { type BodyTimeouts, defaultBodyTimeouts, maxReceivedBytes } from './body.ts';

interface Served {
  testApp: TestApp;
  server: Server;
  ann: TestBrowser;
  /** Sends only the headers. */
  begin(name: string, headers: Record<string, string | number>): Promise<Socket>;
  /** Resolves once the app is reading this many bodies. */
  isReading(bodies?: number): Promise<unknown>;
}

/** Serves the app on a real port, with a signed-in user. */
async function serve(timeouts: Partial<BodyTimeouts> = {}): Promise<Served> {
  const bodyTimeouts = { ...defaultBodyTimeouts, ...timeouts };
  const testApp = await makeTestApp({ settings: { bodyTimeouts } });
  const ann = await signedInBrowser(testApp);
  const server = createServer(getRequestListener(testApp.app.fetch));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await testApp[Symbol.asyncDispose]();
  });
  const monotonic = vi.spyOn(testApp.clock, 'monotonic');
  return {
    testApp,
    server,
    ann,
    async begin(name, headers) {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      await once(socket, 'connect');
      const lines = {
        Host: 'localhost',
        Origin: publicUrl,
        Cookie: `session=${ann.cookies.get('session')}`,
        'Content-Type': 'application/json',
        ...headers,
      };
      const block = Object.entries(lines).map(([field, value]) => `${field}: ${value}\r\n`);
      socket.write(`${name} HTTP/1.1\r\n${block.join('')}\r\n`);
      return socket;
    },
    isReading: (bodies = 1) => until(() => monotonic.mock.calls.length >= bodies * 2),
  };
}

const routes = [
  ['POST /api/posts', { 'Content-Length': 100 }],
  ['POST /api/posts', { 'Transfer-Encoding': 'chunked' }],
  ['POST /api/contact', { 'Content-Length': 100 }],
  // This endpoint expects no body.
  ['DELETE /api/profile/avatar', { 'Content-Length': 100 }],
  ['POST /api/auth/sign-out', { 'Transfer-Encoding': 'chunked' }],
  ['POST /api/mail/resend-events', { 'Content-Length': 100 }],
  ['POST /api/no-such-route', { 'Content-Length': 100 }],
  [
    'PUT /api/profile/avatar',
    { 'Content-Length': 100, 'Content-Type': 'multipart/form-data; boundary=x' },
  ],
] as const;

test.each(routes)('%s with %j answers 408 when the body does not arrive', async (name, headers) => {
  const { testApp, begin } = await serve({ idle: 20 });
  const before = allRows(testApp.deps.db);

  const response = await text(await begin(name, headers));

  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(response).toMatch(/\r\nConnection: close\r\n/i);
  expect(response).toContain('"code":"request_timeout"');
  expect(allRows(testApp.deps.db)).toEqual(before);
});

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('answers with a page when a form without JavaScript does not arrive', async () => {
  const { testApp, begin } = await serve({ idle: 20 });
  const before = allRows(testApp.deps.db);

  const response = await text(await begin('POST /api/posts', { ...form, 'Content-Length': 100 }));

  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(response).toMatch(/\r\nConnection: close\r\n/i);
  expect(response).toMatch(/\r\nContent-Type: text\/html/i);
  expect(response).toContain('"kind":"unreceivedForm","reason":"too-slow"');
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test('accepts a body that arrived while the machine stalled', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { begin, isReading } = await serve();
  const message = { name: 'Ann', email: 'ann@example.com', message: 'The boiler is out.' };
  const body = JSON.stringify(message);
  const headers = { 'Content-Length': body.length, Connection: 'close' };
  const socket = await begin('POST /api/contact', headers);
  await isReading();

  // All timers are due at once and run before the socket is read.
  await new Promise((resolve) => setImmediate(resolve));
  socket.write(body);
  vi.advanceTimersByTime(defaultBodyTimeouts.idle);

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
});

/** A body in small parts that counts how many of them were read. */
function countedBody(bytes: number) {
  const part = new Uint8Array(16_384).fill(120);
  const parts = Math.ceil(bytes / part.length);
  const body = { read: 0, parts };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      body.read += 1;
      controller.enqueue(part);
      if (body.read === parts) controller.close();
    },
  });
  return { body, init: { body: stream, duplex: 'half' as const } };
}

test.each([
  ['/api/posts', limits.postBodyBytes],
  ['/api/contact', limits.bodyBytes],
  ['/api/no-such-route', limits.bodyBytes],
])('reads an oversized form for %s to its end and answers with a page', async (path, max) => {
  const { testApp, ann } = await serve();
  const before = allRows(testApp.deps.db);
  const { body, init } = countedBody(2 * max);

  const response = await ann.request('POST', path, { headers: form, ...init });

  expect(response.status).toBe(413);
  expect(await response.text()).toContain('"kind":"unreceivedForm","reason":"too-large"');
  expect(body.read).toBe(body.parts);
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test.each([
  ['POST', '/api/contact', limits.bodyBytes],
  ['PUT', '/api/profile/avatar', limits.imageBytes],
] as const)(
  'reads an oversized body for %s %s to its end, so that a proxy gets the response',
  async (method, path, max) => {
    const { ann } = await serve();
    const { body, init } = countedBody(2 * max);
    const type = path === '/api/contact' ? 'application/json' : 'multipart/form-data; boundary=x';
    const headers = { 'Content-Type': type };

    expect((await ann.request(method, path, { headers, ...init })).status).toBe(413);
    expect(body.read).toBe(body.parts);
  },
);

test.each(['application/json', form['Content-Type']])(
  'cuts off a body of %s that is many times too large and closes the connection',
  async (type) => {
    const { ann } = await serve();
    const { body, init } = countedBody(2 * maxReceivedBytes);
    const response = await ann.request('POST', '/api/contact', {
      headers: { 'Content-Type': type },
      ...init,
    });

    expect([response.status, response.headers.get('Connection')]).toEqual([413, 'close']);
    expect(body.read).toBeLessThan(body.parts);
  },
);

test('closes the connection after an oversized body, as the response announces', async () => {
  const { begin } = await serve();
  const socket = await begin('POST /api/contact', { 'Transfer-Encoding': 'chunked' });
  socket.write(`80000\r\n${'x'.repeat(524_288)}\r\n0\r\n\r\n`);

  const response = await text(socket);

  expect(response).toMatch(/^HTTP\/1\.1 413 /);
  expect(response).toMatch(/\r\nConnection: close\r\n/i);
});

test.each([
  ['POST /api/contact', {}],
  ['POST /api/contact', form],
  ['POST /api/posts', {}],
  ['PUT /api/profile/avatar', { 'Content-Type': 'multipart/form-data; boundary=x' }],
])('cuts off a body for %s with %j that arrives in thousands of chunks', async (name, headers) => {
  const { testApp, begin } = await serve();
  const before = allRows(testApp.deps.db);
  const socket = await begin(name, { ...headers, 'Transfer-Encoding': 'chunked' });
  socket.on('error', () => undefined);
  socket.write('1\r\nx\r\n'.repeat(3_000));

  const response = await text(socket);

  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toMatch(/\r\nConnection: close\r\n/i);
  expect(response).toContain('too many tiny chunks');
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test('accepts a body in a few hundred tiny chunks', async () => {
  const { begin } = await serve();
  const socket = await begin('POST /api/contact', {
    'Transfer-Encoding': 'chunked',
    Connection: 'close',
  });
  const body = JSON.stringify({ name: 'Ann', email: 'ann@example.com', message: 'x'.repeat(500) });
  socket.write(`${[...body].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`);

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
});

test('after 30 seconds, cuts off a body that arrives byte by byte', async () => {
  const { testApp, begin, isReading } = await serve();
  const socket = await begin('POST /api/posts', { 'Content-Length': 100 });
  await isReading();
  testApp.clock.move(30_001);
  socket.write('{');

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('does not cut off a body when the wall clock is set', async () => {
  const { testApp, begin, isReading } = await serve();
  const body = JSON.stringify({ title: 'Title', content: 'Text' });
  const socket = await begin('POST /api/posts', {
    'Content-Length': body.length,
    Connection: 'close',
  });
  await isReading();
  testApp.clock.set(60_000);
  socket.write(body.slice(0, 10));
  socket.write(body.slice(10));

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
});

/** A multipart upload, whole and split in two. */
async function picture() {
  const form = fileForm(await plainPicture().png().toBuffer());
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const bytes = Buffer.from(await request.arrayBuffer());
  const headers = {
    'Content-Type': request.headers.get('Content-Type') ?? '',
    'Content-Length': bytes.length,
    Connection: 'close',
  };
  return { headers, bytes, halves: [bytes.subarray(0, 200), bytes.subarray(200)] as const };
}

test('allows a file more time as long as it keeps arriving', async () => {
  const { testApp, begin, isReading } = await serve({ uploadBytesPerSecond: 10 });
  const { headers, halves } = await picture();
  const socket = await begin('PUT /api/profile/avatar', headers);
  socket.write(halves[0]);
  // Wait until the second read has begun.
  await isReading(1.5);
  testApp.clock.move(45_000);
  socket.write(halves[1]);

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test('cuts off a file that arrives too slowly', async () => {
  const { testApp, begin, isReading } = await serve({ uploadBytesPerSecond: 10 });
  const { headers, halves } = await picture();
  const socket = await begin('PUT /api/profile/avatar', headers);
  socket.write(halves[0]);
  await isReading(1.5);
  testApp.clock.move(60_000);
  socket.write('x');

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('gives an oversized file no extra time', async () => {
  const uploadBytesPerSecond = limits.imageBytes / 100;
  const { testApp, ann } = await serve({ uploadBytesPerSecond, idle: 600_000 });
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= 2 * limits.imageBytes) return testApp.clock.move(131_000);
      sent += 1_048_576;
      controller.enqueue(new Uint8Array(1_048_576));
    },
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };

  const init = { headers, body, duplex: 'half' as const };
  expect((await ann.request('PUT', '/api/profile/avatar', init)).status).toBe(413);
});

test('limits concurrent uploads per client', async () => {
  const { ann } = await serve({ uploadsPerClient: 2 });
  const { headers, bytes } = await picture();
  const upload = () =>
    holdRequest(ann, 'PUT', '/api/profile/avatar', { type: headers['Content-Type'], body: bytes });
  const [first, second] = [upload(), upload()];
  await first.isAwaited;
  await second.isAwaited;

  const third = await upload().release();
  expect([third.status, third.headers.get('Retry-After')]).toEqual([429, '10']);

  expect((await first.release()).status).toBe(200);
  expect((await upload().release()).status).toBe(200);
  expect((await second.release()).status).toBe(200);
});

test('an aborted request changes nothing and is not logged as an error', async () => {
  const { testApp, begin, isReading } = await serve();
  const failed = vi.spyOn(testApp.deps.log, 'error');
  const answered = vi.spyOn(testApp.deps.log, 'isLevelEnabled');
  const before = allRows(testApp.deps.db);
  const socket = await begin('POST /api/posts', { 'Content-Length': 100 });
  await isReading();
  answered.mockClear();
  socket.destroy();

  // Requests are logged when they end.
  await until(() => answered.mock.calls.length > 0);
  expect(failed).not.toHaveBeenCalled();
  expect(allRows(testApp.deps.db)).toEqual(before);
});
