import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { close, open } from '@app/db/open';
import { publishHookChanges } from '@app/db/schema/publishing';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { writeTransaction } from '@app/db/write-transaction';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, startWriting } from '../testing/blog.ts';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';
import { everything, nextMessage, storeChanges } from './hook-changes.ts';
import { createPublishHook } from './publish-hook.ts';

const secret = `whsec_${Buffer.from('a secret of the publish hook').toString('base64')}`;

interface Call {
  headers: IncomingHttpHeaders;
  body: string;
  message: { id: string; time: string; paths: string[] };
}

/** Responds with 204 by default. */
async function listen(answer = (response: ServerResponse) => void response.writeHead(204).end()) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    calls.push({ headers: request.headers, body, message: JSON.parse(body) });
    receiver.answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const receiver = { calls, answer, url: `http://127.0.0.1:${port}/purge` };
  return receiver;
}

const pathsOf = (calls: readonly Call[]): string[] => calls.flatMap(({ message }) => message.paths);

const waiting = ({ deps }: TestApp) => deps.db.select().from(publishHookChanges).all();

/** A hook apart from the publisher's, which repeats requests at once. */
function makeHook(testApp: TestApp, url: string, timeout?: number) {
  const settings = { publishHook: { url, secret } };
  const hook = createPublishHook(
    { ...testApp.deps, settings },
    { retry: () => 5, ...(timeout && { timeout }) },
  );
  onTestFinished(() => hook.stop());
  return hook;
}

test('sends the paths that a save changed, signed, without delaying the save', async () => {
  const receiver = await listen();
  const publishHook = { url: receiver.url, secret };
  await using testApp = await makeTestApp({ publishes: true, settings: { publishHook } });
  // The first publish of the site.
  await expect.poll(() => pathsOf(receiver.calls)).toEqual([everything]);
  // The library compares timestamps with the system time.
  vi.setSystemTime(testApp.clock.now());
  onTestFinished(() => void vi.useRealTimers());
  const { write, change, remove } = await startWriting(testApp);

  const isSaved = Promise.withResolvers<void>();
  receiver.answer = (response) => void isSaved.promise.then(() => response.writeHead(204).end());
  const { post } = await write('First');
  isSaved.resolve();
  const paths = ['/blog/first', '/blog/first.md', '/blog', '/blog/rss.xml', '/sitemap.xml'];
  await expect.poll(() => pathsOf(receiver.calls)).toEqual(expect.arrayContaining(paths));
  for (const { headers, body, message } of receiver.calls) {
    const signed = headers as Record<string, string>;
    expect(new Webhook(secret).verify(body, signed)).toEqual(message);
    expect(() => new Webhook(secret).verify(`${body} `, signed)).toThrow();
    expect(headers['webhook-id']).toBe(message.id);
    expect(message.time).toMatch(/^2026-03-01T12:00/);
  }

  receiver.calls.length = 0;
  const changed = await change(post, { slug: 'moved' });
  await expect.poll(() => pathsOf(receiver.calls)).toContain('/blog/moved');
  await expect.poll(() => pathsOf(receiver.calls)).toContain('/blog/first');
  receiver.calls.length = 0;
  await remove(changed.post);
  await expect.poll(() => pathsOf(receiver.calls)).toContain('/blog/moved');
  await expect.poll(() => waiting(testApp)).toEqual([]);
});

test('repeats a failed request unchanged before it sends the next one', async () => {
  await using testApp = await makeTestApp();
  const receiver = await listen((response) => void response.writeHead(500).end('no'));
  const hook = makeHook(testApp, receiver.url);
  hook.note(['/blog']);
  hook.start();
  await expect.poll(() => receiver.calls.length).toBeGreaterThan(2);
  hook.note(['/blog', '/about']);
  await expect
    .poll(() => testApp.deps.health.problems())
    .toEqual(['The publish hook does not answer, and will be called again.']);
  const failed = receiver.calls.length;
  receiver.answer = (response) => void response.writeHead(200).end('ok');
  await expect.poll(() => receiver.calls.at(-1)?.message.paths).toEqual(['/blog', '/about']);
  await expect.poll(() => waiting(testApp)).toEqual([]);
  await expect.poll(() => testApp.deps.health.problems()).toEqual([]);

  const messages = receiver.calls.map(({ message }) => message);
  const [first] = messages;
  expect(first?.paths).toEqual(['/blog']);
  for (const message of messages.slice(0, failed + 1)) expect(message).toEqual(first);
  expect(messages.at(-1)?.id).not.toBe(first?.id);
});

test.each([
  [
    'a redirect, without following it',
    (to: string) => (response: ServerResponse) =>
      void response.writeHead(307, { Location: to }).end(),
  ],
  ['no response', () => () => undefined],
  ['a closed connection', () => (response: ServerResponse) => void response.destroy()],
])('retries after %s', async (_, answerFor) => {
  await using testApp = await makeTestApp();
  const elsewhere = await listen();
  const receiver = await listen(answerFor(elsewhere.url));
  const hook = makeHook(testApp, receiver.url, 50);
  hook.note(['/blog']);
  hook.start();
  await expect.poll(() => receiver.calls.length).toBeGreaterThan(2);
  expect(elsewhere.calls).toEqual([]);
  expect(waiting(testApp)).toMatchObject([{ path: '/blog' }]);
});

test('delivers undelivered messages after a restart, with the same id', async () => {
  const dataDir = makeDataDir();
  const receiver = await listen((response) => void response.writeHead(503).end());
  {
    await using testApp = await makeTestApp({ dataDir });
    const hook = makeHook(testApp, receiver.url);
    hook.note(['/blog']);
    hook.start();
    await expect.poll(() => receiver.calls.length).toBeGreaterThan(0);
    hook.note(['/about']);
    await hook.stop();
    expect(waiting(testApp).map(({ path }) => path)).toEqual(['/blog', '/about']);
  }
  receiver.answer = (response) => void response.writeHead(204).end();
  await using testApp = await makeTestApp({ dataDir });
  makeHook(testApp, receiver.url).start();
  await expect.poll(() => waiting(testApp)).toEqual([]);
  const messages = receiver.calls.map(({ message }) => message);
  expect(messages.at(-1)?.paths).toEqual(['/about']);
  for (const message of messages.slice(0, -1)) expect(message).toEqual(messages[0]);
});

test('stores changes before their publish job counts as done', async () => {
  const receiver = await listen(() => undefined);
  const publishHook = { url: receiver.url, secret };
  await using testApp = await makeTestApp({ publishes: true, settings: { publishHook } });
  await expect.poll(() => receiver.calls.length).toBe(1);
  const { write } = await startWriting(testApp);
  await write('First');
  await testApp.deps.publisher.settled();
  expect(testApp.deps.publisher.depth()).toBe(0);
  expect(waiting(testApp).map(({ path }) => path)).toEqual(
    expect.arrayContaining([everything, '/blog/first', '/blog']),
  );
});

testOnFile('waits for changes that are already being stored', 'others lock it', async () => {
  await using testApp = await makeTestApp();
  const hook = makeHook(testApp, 'http://127.0.0.1:9');
  const other = open(join(testApp.dataDir, 'site.db'));
  onTestFinished(() => close(other));
  other.$client.exec('BEGIN IMMEDIATE');
  hook.note(['/blog']);
  const first = hook.store();
  const second = hook.store();
  other.$client.exec('ROLLBACK');
  await second;
  expect(waiting(testApp)).toMatchObject([{ path: '/blog' }]);
  await first;
});

test('sends at most 100 paths per request, and replaces too many changes by one for all paths', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const store = (paths: string[]) =>
    writeTransaction(db, (tx) => storeChanges(tx, 1, new Set(paths)));
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `/${prefix}/${index}`);
  await store(many(150, 'a'));
  await store(['/a/0', '/b']);
  const first = await writeTransaction(db, nextMessage);
  expect(first?.paths).toEqual(many(100, 'a'));
  expect(await writeTransaction(db, nextMessage)).toEqual(first);
  // Changed again while the message is being delivered.
  await store(['/a/0']);
  expect(waiting(testApp)).toHaveLength(152);

  await store(many(949, 'c'));
  expect(
    waiting(testApp)
      .slice(100)
      .map(({ path }) => path),
  ).toEqual([everything]);
  expect(await writeTransaction(db, nextMessage)).toEqual(first);
});

test('stores nothing if no hook is configured', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('First');
  await testApp.deps.publisher.settled();
  expect(waiting(testApp)).toEqual([]);
});
