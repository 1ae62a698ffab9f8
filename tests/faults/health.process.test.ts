import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

test('a stopping server is live, but not ready', async () => {
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
