import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { connect, Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { limits } from '@app/contract/limits';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeTestApp } from '../testing/test-app.ts';
import { defaultBodyTimeouts } from './body.ts';
import type { AppEnv } from './context.ts';
import { createHttpServer } from './http-server.ts';
import { createSiteFiles } from './site-files.ts';

const request = 'GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Requests to `/api/slow` wait until their function in `answers` is called. */
async function makeServer({ stalledAfter }: { stalledAfter?: number } = {}) {
  const testApp = await makeTestApp();
  const limit = stalledAfter === undefined ? {} : { stalledAfter };
  const server = createHttpServer({ ...testApp.deps, isHttps: false, ...limit });
  const port = await server.listen(0, '127.0.0.1');
  const answers: (() => void)[] = [];
  const app = new Hono<AppEnv>()
    .get('/api/slow', async (c) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return c.text('done');
    })
    .get('/api/quick', (c) => c.text('done'));
  server.open(createSiteFiles('/nonexistent'), app);
  return {
    port,
    answers,
    close: server.close,
    async [Symbol.asyncDispose]() {
      for (const answer of answers) answer();
      await server.close();
      await testApp[Symbol.asyncDispose]();
    },
  };
}

async function send(port: number, requests: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => socket.destroy());
  socket.write(requests);
  return socket;
}

test('answers 16 requests that one connection sends at once', async () => {
  await using server = await makeServer();
  const { port, answers } = server;
  const last = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  const socket = await send(port, request.repeat(15) + last);
  const received = text(socket);
  await expect.poll(() => answers.length).toBe(16);
  for (const answer of answers) answer();
  expect((await received).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(16);
});

test('closes a connection with more unanswered requests, and handles at most 16', async () => {
  await using server = await makeServer();
  const { port, answers } = server;
  const socket = await send(port, request.repeat(500));
  socket.resume();
  await once(socket, 'close');
  expect(answers.length).toBeLessThanOrEqual(16);
});

test('closes a connection without traffic after a timeout', async () => {
  await using server = await makeServer({ stalledAfter: 100 });
  const { port, answers } = server;
  const socket = await send(port, request);
  socket.resume();
  await once(socket, 'close');
  expect(answers).toHaveLength(1);
});

test('times out requests later than the slowest allowed upload takes', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  await using _server = await makeServer();
  const { requestTimeout } = listen.mock.contexts[0] as HttpServer;
  const { total, uploadBytesPerSecond } = defaultBodyTimeouts;
  const slowest = total + (limits.imageBytes / uploadBytesPerSecond) * 1_000;
  expect(requestTimeout).toBeGreaterThan(slowest + 60_000);
});

test('while it starts, leaves reads to other servers and asks clients to retry writes', async () => {
  await using testApp = await makeTestApp();
  const server = createHttpServer({ ...testApp.deps, isHttps: false, hasOthers: true });
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}/blog`;
  const read = fetch(url);
  const written = fetch(url, { method: 'POST', body: 'a message' });

  await expect(read).rejects.toThrow('fetch failed');
  const { status, headers } = await written;
  expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
  await server.close();
});

test('while it stops, answers what has arrived before it closes idle and silent connections', async () => {
  await using server = await makeServer();
  const { port } = server;
  const quick = request.replace('slow', 'quick');
  const idle = await send(port, quick);
  await once(idle, 'data');
  const silent = await send(port, '');
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = server.close();

  // On a busy machine, timers are due at once, and run before the sockets are read.
  await new Promise((resolve) => setImmediate(resolve));
  const received = Promise.all(
    [idle, silent].map((socket) => {
      socket.write(quick);
      return text(socket);
    }),
  );
  vi.advanceTimersByTime(2_000);
  for (const response of await received) expect(response).toContain('HTTP/1.1 200 OK');
  vi.useRealTimers();
  await closed;
});
