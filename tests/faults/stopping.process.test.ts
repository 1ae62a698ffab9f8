import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { open } from '@app/db/open';
import { freePort } from '@app/db/testing/free-port';
import { expect, test } from 'vitest';
import { EmailProvider } from '../support/email-provider.ts';
import { publishedPort, SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { keepAsking } from './keep-alive-clients.ts';

const message = JSON.stringify({ name: 'Vera', email: 'vera@example.com', message: 'Hello' });

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
  'on %s, the server answers the current request, refuses new connections, and exits with 0',
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

test('idle keep-alive connections do not delay the stop', async () => {
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

test('a server that is stopped during its start leaves nothing unfinished', async () => {
  using folder = temporaryFolder();
  const options = { dataDir: folder.path, port: await freePort() };
  const site = await SiteProcess.launch(options);
  await site.logged('republished all pages');
  const { stderr } = await site.stop();
  expect(stderr).toBe('');

  await using again = await SiteProcess.start(options);
  expect((await fetch(`${again.url}/blog`)).status).toBe(200);
});

/** Starts the server under a parent that forwards signals, like `npm start`. */
async function startInGroup(dataDir: string) {
  const port = await publishedPort(dataDir);
  const program = `
    import { runNode } from '@app/tasks/run';
    import { serverArguments } from '@app/tasks/server';
    process.exitCode = await runNode(serverArguments, { stdio: 'inherit' });
  `;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { PORT: String(port), DATA_DIR: dataDir, PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const { stdout, stderr, pid } = child;
  if (!stdout || !stderr || pid === undefined) throw new Error('the server did not start');
  const errors = text(stderr);
  let log = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  const failed = ended.then(async () => {
    throw new Error(`the server did not start: ${await errors}`);
  });
  failed.catch(() => undefined);
  while (!log.includes('ready on')) await Promise.race([once(stdout, 'data'), failed]);
  return {
    port,
    signalGroup: (signal: NodeJS.Signals) => void process.kill(-pid, signal),
    ended,
    errors,
    log: () => log,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
      await ended;
    },
  };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to the process group under load breaks no response, and the server exits with 0',
  async (signal) => {
    using folder = temporaryFolder();
    await using site = await startInGroup(folder.path);
    const clients = Array.from({ length: 12 }, () => keepAsking(site.port));
    const db = open(join(folder.path, 'site.db'));
    const stored = db.$client.prepare('SELECT count(*) AS n FROM contact_submissions');
    const messages = () => (stored.get() as { n: number }).n;
    await expect.poll(messages).toBeGreaterThanOrEqual(20);
    db.$client.close();

    site.signalGroup(signal);
    const results = await Promise.all(clients);

    expect(results.flatMap(({ broken }) => broken)).toEqual([]);
    expect(await site.ended).toEqual([0, null]);
    expect(await site.errors).toBe('');
    expect(site.log().match(/"msg":"stopping"/g)).toHaveLength(1);
  },
);

test('responses after the signal close the connection', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  const open = await Promise.all([1, 2].map(() => halfSent(site, 'keep-alive')));
  const page = connect(site.port, '127.0.0.1');
  await once(page, 'connect');

  site.signal('SIGTERM');
  await site.logged('stopping');
  page.write(`GET /about HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`);
  for (const socket of open) socket.write(message);

  for (const answer of await Promise.all([...open, page].map((socket) => text(socket)))) {
    expect(answer).toMatch(/^HTTP\/1\.1 20[01] [\s\S]*\r\nConnection: close\r\n/i);
  }
  expect(await site.ended).toMatchObject({ code: 0 });
});

test('a stop does not wait for an email provider that hangs, and leaves the email queued', async () => {
  using folder = temporaryFolder();
  await using provider = await EmailProvider.start();
  provider.behave = () => 'takes it late';
  const env = {
    RESEND_API_KEY: 're_test',
    RESEND_BASE_URL: provider.url,
    MAIL_FROM: 'hello@fieldlight.example',
  };
  await using site = await SiteProcess.start({ dataDir: folder.path, env });
  const asked = new Promise<void>((resolve) => {
    provider.notice = resolve;
  });
  await fetch(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { Origin: site.url, 'Content-Type': 'application/json' },
    body: message,
  });
  await asked;

  expect(await site.stop()).toMatchObject({ code: 0 });
  const { $client: client } = open(join(folder.path, 'site.db'));
  expect(client.prepare('SELECT DISTINCT state, last_error FROM outbox').all()).toEqual([
    { state: 'queued', last_error: 'the server stopped before a response' },
  ]);
  client.close();
});
