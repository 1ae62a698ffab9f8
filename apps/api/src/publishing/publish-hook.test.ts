import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Database } from '@app/db/open';
import { publishLog } from '@app/db/schema/publishing';
import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDataDir, startWriting } from '../testing/blog.ts';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';
import { nextMessage, readPosition } from './hook-messages.ts';
import { everything, logChange, newestSeq } from './log.ts';
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

/** A hook apart from the publisher's, which repeats requests at once and sees what `log` logs. */
function makeHook(testApp: TestApp, url: string, timeout?: number) {
  const { db, clock } = testApp.deps;
  const site = {
    release: { folder: '/site/release-1' },
    origin: { build: '', publicUrl: '', database: 'id', createdAt: 0 },
  };
  const hook = createPublishHook(
    {
      ...testApp.deps,
      ...{ site, publishedSeq: () => newestSeq(db), dataDir: testApp.dataDir },
      settings: { publishHook: { url, secret } },
    },
    { retry: () => 5, ...(timeout && { timeout }) },
  );
  onTestFinished(() => hook.stop());
  return {
    ...hook,
    site,
    log(paths: string[]): void {
      logChange(db, clock.now(), paths);
      hook.wake();
    },
    sentUpTo: async () => (await readPosition(testApp.dataDir))?.seq ?? null,
  };
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
});

test('repeats a failed request unchanged before it sends the next one', async () => {
  await using testApp = await makeTestApp();
  const receiver = await listen();
  const hook = makeHook(testApp, receiver.url);
  hook.start();
  await expect.poll(() => pathsOf(receiver.calls)).toEqual([everything]);
  receiver.calls.length = 0;
  receiver.answer = (response) => void response.writeHead(500).end('no');
  hook.log(['/blog']);
  await expect.poll(() => receiver.calls.length).toBeGreaterThan(2);
  hook.log(['/blog', '/about']);
  await expect
    .poll(() => testApp.deps.health.problems())
    .toEqual(['The publish hook does not answer, and will be called again.']);
  receiver.answer = (response) => void response.writeHead(200).end('ok');
  await expect.poll(() => receiver.calls.at(-1)?.message.paths).toEqual(['/blog', '/about']);
  await expect.poll(() => hook.sentUpTo()).toBe(3);
  await expect.poll(() => testApp.deps.health.problems()).toEqual([]);

  const [first, ...others] = receiver.calls.map(({ message }) => message);
  expect(first?.paths).toEqual(['/blog']);
  expect(others.at(-1)?.id).not.toBe(first?.id);
  for (const message of others.slice(0, -1)) expect(message).toEqual(first);
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
  hook.start();
  await expect.poll(() => receiver.calls.length).toBeGreaterThan(2);
  expect(elsewhere.calls).toEqual([]);
  expect(await hook.sentUpTo()).toBeNull();
});

test('sends after a restart what was not delivered before, and nothing twice', async () => {
  const dataDir = makeDataDir();
  const receiver = await listen();
  {
    await using testApp = await makeTestApp({ dataDir });
    const hook = makeHook(testApp, receiver.url);
    hook.start();
    await expect.poll(() => pathsOf(receiver.calls)).toEqual([everything]);
    await expect.poll(() => hook.sentUpTo()).toBe(0);
    receiver.answer = (response) => void response.writeHead(503).end();
    hook.log(['/blog']);
    await expect.poll(() => receiver.calls.length).toBeGreaterThan(1);
    hook.log(['/about']);
    await hook.stop();
  }
  receiver.calls.length = 0;
  receiver.answer = (response) => void response.writeHead(204).end();
  await using testApp = await makeTestApp({ dataDir });
  const hook = makeHook(testApp, receiver.url);
  hook.start();
  await expect.poll(() => hook.sentUpTo()).toBe(2);
  expect(pathsOf(receiver.calls)).toEqual(['/blog', '/about']);
});

test('sends at most 100 paths per request, and replaces too many changes by one for all paths', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { site } = makeHook(testApp, 'http://127.0.0.1:9');
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `/${prefix}/${index}`);
  const next = (from: number) =>
    nextMessage(
      { db, site, publishedSeq: () => newestSeq(db) },
      { database: 'id', release: 'release-1', seq: from },
      2,
    );
  expect(next(0)).toBeNull();
  logChange(db, 1, many(150, 'a'));
  logChange(db, 1, ['/a/0', '/b']);
  const first = next(0);
  expect(first).toMatchObject({ paths: many(100, 'a'), time: 1, position: { seq: 100 } });
  const rest = next(100);
  // Changed again since.
  expect(rest?.paths).toEqual([...many(150, 'a').slice(100), '/a/0', '/b']);
  expect(rest?.position.seq).toBe(152);
  expect(rest?.id).not.toBe(first?.id);
  expect(next(152)).toBeNull();
  logChange(db, 1, many(1_001, 'c'));
  expect(next(152)).toMatchObject({ paths: [everything], position: { seq: 1_153 } });
});

test('sends all paths for another release, another database, and a log that was deleted', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { site } = makeHook(testApp, 'http://127.0.0.1:9');
  const published = { db, site, publishedSeq: () => newestSeq(db) };
  const position = { database: 'id', release: 'release-1', seq: 0 };
  logChange(db, 1, ['/a', '/b']);
  for (const from of [null, { ...position, release: 'old' }, { ...position, database: 'old' }]) {
    expect(nextMessage(published, from, 2)?.paths).toEqual([everything]);
  }
  expect(nextMessage(published, position, 2)?.paths).toEqual(['/a', '/b']);
  deleteFirst(db);
  expect(nextMessage(published, position, 2)?.paths).toEqual([everything]);
});

const deleteFirst = (db: Database) => db.delete(publishLog).where(eq(publishLog.seq, 1)).run();
