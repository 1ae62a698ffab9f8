import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { open } from '@app/db/open';
import { expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

const message = JSON.stringify({ name: 'Vera', email: 'vera@example.com', message: 'Hello' });

/** A request of which the server has the head, and waits for the body. */
async function halfSent(site: SiteProcess, connection: 'close' | 'keep-alive') {
  const socket = connect(site.port, '127.0.0.1');
  socket.write(
    [
      'POST /api/contact HTTP/1.1',
      `Host: localhost:${site.port}`,
      `Origin: ${site.url}`,
      'Content-Type: application/json',
      `Content-Length: ${message.length}`,
      'Expect: 100-continue',
      `Connection: ${connection}`,
      '\r\n',
    ].join('\r\n'),
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return socket;
}

async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const error = await once(socket, 'connect').then(
      () => null,
      (reason: NodeJS.ErrnoException) => reason.code,
    );
    socket.destroy();
    if (error === 'ECONNREFUSED') return;
    await setTimeout(5);
  }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: the request underway is answered, others are not taken, and it ends with 0',
  async (signal) => {
    using folder = temporaryFolder();
    await using site = await SiteProcess.start({ dataDir: folder.path });
    const socket = await halfSent(site, 'close');

    site.signal(signal);
    await site.logged('stopping');
    await refusesConnections(site.port);
    socket.write(message);
    const answer = await text(socket);

    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(await site.ended).toEqual({ code: 0, signal: null, stderr: '' });
    const { $client: client } = open(join(folder.path, 'site.db'));
    expect(client.prepare('SELECT name FROM contact_submissions').all()).toEqual([
      { name: 'Vera' },
    ]);
    expect(client.prepare('SELECT kind FROM outbox ORDER BY kind').all()).toEqual([
      { kind: 'contact-notice' },
      { kind: 'contact-receipt' },
    ]);
    client.close();
  },
);

test('a connection that its browser keeps open does not hold the end up', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  const idle = connect(site.port, '127.0.0.1');
  await once(idle, 'connect');
  const busy = await halfSent(site, 'keep-alive');

  site.signal('SIGTERM');
  await site.logged('stopping');
  busy.write(message);
  const answer = await text(busy);

  expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  expect(await site.ended).toMatchObject({ code: 0 });
  idle.destroy();
});

test('told to stop while it starts, it ends without leaving anything half done', async () => {
  using folder = temporaryFolder();
  const site = await SiteProcess.launch({ dataDir: folder.path });
  await site.logged('the whole site is published anew');
  const { stderr } = await site.stop();
  expect(stderr).toBe('');

  await using again = await SiteProcess.start({ dataDir: folder.path });
  expect((await fetch(`${again.url}/blog`)).status).toBe(200);
});
