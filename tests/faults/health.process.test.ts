import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

async function untilItListens(site: SiteProcess): Promise<Response> {
  for (;;) {
    try {
      return await fetch(`${site.url}/api/health/live`);
    } catch {
      await setTimeout(5);
    }
  }
}

test('a server that starts is live; requests of pages wait until it is ready', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.launch({ dataDir: join(folder.path, 'data') });
  // Rendering all pages for the first time takes seconds.
  const live = await untilItListens(site);
  const ready = await fetch(`${site.url}/api/health/ready`);
  const page = fetch(site.url);

  expect([live.status, await live.json()]).toEqual([200, { status: 'live' }]);
  expect([ready.status, ready.headers.get('Content-Type')]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
  ]);
  expect(await ready.json()).toMatchObject({ code: 'busy', detail: 'The server is starting.' });

  await site.ready;
  expect((await page).status).toBe(200);
  expect((await fetch(`${site.url}/api/health/ready`)).status).toBe(200);
});

test('a server that stops is live, but not ready', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  const sockets = [connect(site.port, '127.0.0.1'), connect(site.port, '127.0.0.1')] as const;
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await expect.poll(async () => (await fetch(`${site.url}/api/health/ready`)).status).toBe(200);

  site.signal('SIGTERM');
  await site.logged('stopping');
  for (const [index, name] of ['live', 'ready'].entries()) {
    sockets[index]?.write(`GET /api/health/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }
  const [live, ready] = await Promise.all(sockets.map((socket) => text(socket)));

  expect(live).toMatch(/^HTTP\/1\.1 200 /);
  expect(ready).toMatch(/^HTTP\/1\.1 503 [\s\S]*"detail":"The server is stopping\."/);
  expect(await site.ended).toMatchObject({ code: 0 });
});
