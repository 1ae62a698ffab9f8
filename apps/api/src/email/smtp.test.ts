import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { normalizeEmail } from '@app/contract/email-address';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { from, makeEmail, unusualAddresses } from '../testing/test-email.ts';
import { smtpTransport } from './smtp.ts';

interface Delivery {
  sender: string | undefined;
  recipients: string[];
  message: Email;
}

async function startServer(options: SMTPServerOptions = {}) {
  const deliveries: Delivery[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    async onData(stream, { envelope }, done) {
      const message = await PostalMime.parse(await buffer(stream));
      // The server decodes xn-- domains.
      const sender = envelope.mailFrom ? normalizeEmail(envelope.mailFrom.address) : undefined;
      deliveries.push({
        sender,
        recipients: envelope.rcptTo.map(({ address }) => normalizeEmail(address)),
        message,
      });
      done();
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return { deliveries, address: `127.0.0.1:${port}` };
}

const replying = (responseCode: number, text = 'not this time'): Error =>
  Object.assign(new Error(text), { responseCode });

test('delivers both bodies to the recipient only', async () => {
  const { deliveries, address } = await startServer();
  const email = makeEmail();

  expect(await smtpTransport(`smtp://${address}`, from).send(email)).toMatchObject({
    outcome: 'sent',
    details: { response: expect.stringMatching(/^250/) },
  });

  expect(deliveries).toMatchObject([
    {
      sender: 'hello@fieldlight.example',
      recipients: [email.to],
      message: {
        from: { name: 'Fieldlight AI', address: 'hello@fieldlight.example' },
        to: [{ address: email.to }],
        replyTo: [{ address: email.replyTo }],
        subject: email.subject,
        messageId: `<${email.id}@fieldlight.example>`,
        html: expect.stringContaining(email.html),
        text: expect.stringContaining('The boiler is out.'),
      },
    },
  ]);
});

test.each(unusualAddresses)('delivers from, to and with replies to %s', async (to) => {
  const { deliveries, address } = await startServer();
  const sender = `Acme <${to}>`;

  const sent = await smtpTransport(`smtp://${address}`, sender).send(
    makeEmail({ to, replyTo: to }),
  );

  expect(sent).toMatchObject({ outcome: 'sent' });
  // A local part that ends with a dot is quoted (RFC 5321 §4.1.2).
  const quoted = to.replace(/^(.*\.)@/, '"$1"@');
  expect(deliveries).toMatchObject([
    {
      sender: quoted,
      recipients: [quoted],
      message: {
        from: { name: 'Acme', address: quoted },
        to: [{ name: '', address: quoted }],
        replyTo: [{ name: '', address: quoted }],
      },
    },
  ]);
});

test('every attempt has the same Message-ID', async () => {
  const { deliveries, address } = await startServer();
  const transport = smtpTransport(`smtp://${address}`, from);
  await transport.send(makeEmail({ attempts: 1 }));
  await transport.send(makeEmail({ attempts: 2 }));
  const ids = deliveries.map(({ message }) => message.messageId);
  expect(ids).toEqual([ids[0], ids[0]]);
});

test('sends additional headers', async () => {
  const { deliveries, address } = await startServer();
  const headers = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  await smtpTransport(`smtp://${address}`, from).send(makeEmail({ headers }));
  expect(deliveries[0]?.message.headers).toContainEqual(
    expect.objectContaining({
      key: 'list-unsubscribe-post',
      value: 'List-Unsubscribe=One-Click',
    }),
  );
});

test("logs in with the URL's credentials", async () => {
  const logins: string[] = [];
  const { deliveries, address } = await startServer({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      logins.push(`${username}:${password}`);
      done(null, { user: username });
    },
  });
  await smtpTransport(`smtp://ann:s%40fe@${address}`, from).send(makeEmail());
  expect(logins).toEqual(['ann:s@fe']);
  expect(deliveries).toHaveLength(1);
});

test.each<[string, string, SMTPServerOptions]>([
  ['refused', 'an unknown recipient (550)', { onRcptTo: (_to, _s, done) => done(replying(550)) }],
  ['failed', 'a full mailbox (452)', { onRcptTo: (_to, _s, done) => done(replying(452)) }],
  ['sender', 'a rejected sender (553)', { onMailFrom: (_by, _s, done) => done(replying(553)) }],
  [
    'failed',
    'a temporarily rejected sender (451)',
    { onMailFrom: (_by, _s, done) => done(replying(451)) },
  ],
  [
    'sender',
    'a sender rejected with the recipient (553 5.7.1)',
    { onRcptTo: (_to, _s, done) => done(replying(553, '5.7.1 Sender address rejected')) },
  ],
  [
    'sender',
    'a sender whose domain does not exist, rejected with the recipient (450 4.1.8)',
    { onRcptTo: (_to, _s, done) => done(replying(450, '4.1.8 Domain not found')) },
  ],
  [
    'failed',
    'a recipient that denies access (550 5.7.1)',
    { onRcptTo: (_to, _s, done) => done(replying(550, '5.7.1 Access denied')) },
  ],
  [
    'refused',
    'an unknown recipient with an enhanced status (550 5.1.1)',
    { onRcptTo: (_to, _s, done) => done(replying(550, '5.1.1 No such user')) },
  ],
  [
    'refused',
    'a rejected message (554)',
    {
      onData(stream, _session, done) {
        stream.resume().once('end', () => done(replying(554)));
      },
    },
  ],
  [
    'failed',
    'a greylisted message (451)',
    {
      onData(stream, _session, done) {
        stream.resume().once('end', () => done(replying(451)));
      },
    },
  ],
  [
    'failed',
    'a server that rejects connections (554)',
    { onConnect: (_s, done) => done(replying(554)) },
  ],
  ...[
    '5.7.60 SMTP; Client does not have permissions to send as this sender',
    '5.2.252 SendAsDenied; ann@example.com not allowed to send as hello@example.com',
    'Message rejected: Email address is not verified.',
    'The from address does not match a verified Sender Identity.',
  ].map((reply): [string, string, SMTPServerOptions] => [
    'sender',
    `a sender rejected with the message (${reply})`,
    {
      onData(stream, _session, done) {
        stream.resume().once('end', () => done(replying(550, reply)));
      },
    },
  ]),
  ['login', 'a wrong password (535)', { onAuth: (_login, _s, done) => done(replying(535)) }],
  ['login', 'a missing login (530)', { onMailFrom: (_by, _s, done) => done(replying(530)) }],
  [
    'failed',
    'a temporarily rejected login (454)',
    { onAuth: (_login, _s, done) => done(replying(454)) },
  ],
])('counts as %s: %s', async (kind, _reply, options) => {
  const { address } = await startServer(options);
  const isRefusal = kind === 'sender' || kind === 'login';
  expect(await smtpTransport(`smtp://ann:secret@${address}`, from).send(makeEmail())).toEqual({
    outcome: isRefusal ? 'failed' : kind,
    ...(isRefusal && { refuses: kind }),
    reason: expect.stringMatching(/./),
  });
});

test('a reply that repeats the login does not reveal it', async () => {
  const url = await startScript(
    () => undefined,
    (line) => {
      if (line.startsWith('EHLO')) return '250-test\r\n250 AUTH PLAIN';
      return `535 5.7.8 bad credentials in ${line} for s@fe and s%40fe`;
    },
  );
  const result = await smtpTransport(url.replace('//', '//ann:s%40fe@'), from).send(makeEmail());
  expect(result).toEqual({
    outcome: 'failed',
    refuses: 'login',
    reason: 'Invalid login: 535 5.7.8 bad credentials in AUTH PLAIN … for … and …',
  });
});

/**
 * Starts a server that speaks SMTP up to the end of the message, and then calls `atEnd`.
 * @param replyTo returns the reply to a command
 * @returns the URL of the server
 */
async function startScript(
  atEnd: (socket: Socket) => void,
  replyTo = (_line: string): string => '250 OK',
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    let isMessage = false;
    const take = (line: string): void => {
      if (isMessage && line !== '.') return;
      if (isMessage) atEnd(socket);
      else if (line === 'DATA') socket.write('354 Go ahead\r\n');
      else socket.write(`${replyTo(line)}\r\n`);
      isMessage = line === 'DATA';
    };
    createInterface({ input: socket }).on('line', take);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each<[string, (socket: Socket) => void]>([
  ['drops the connection before it replies to the message', (socket) => void socket.destroy()],
  ['ends the connection before it replies to the message', (socket) => void socket.end()],
  [
    'asks for more instead of taking the message (354)',
    (socket) => void socket.write('354 More\r\n'),
  ],
  ['replies to the message without a code', (socket) => void socket.end('fine\r\n')],
])('a server that %s has not accepted the email', async (_what, atEnd) => {
  const url = await startScript(atEnd);
  expect(await smtpTransport(url, from).send(makeEmail())).toEqual({
    outcome: 'failed',
    reason: expect.stringMatching(/./),
  });
});

test('ends the connection to a server that takes too long, however often it replies', async () => {
  const deadline = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  onTestFinished(() => timeout.mockRestore());
  const closed = Promise.withResolvers<void>();
  const url = await startScript((socket) => {
    socket.once('close', () => closed.resolve());
    socket.write('250-one moment\r\n');
    deadline.abort(new DOMException('too long', 'TimeoutError'));
  });

  expect(await smtpTransport(url, from).send(makeEmail())).toEqual({
    outcome: 'failed',
    reason: expect.stringContaining('too long'),
  });

  await closed.promise;
  // Shorter than the lease of the outbox.
  expect(timeout.mock.calls).toEqual([[50_000]]);
});

test('accepts a forwarded recipient (251) and logs the reply', async () => {
  const url = await startScript(
    (socket) => void socket.write(`250 ${'q'.repeat(400)}\r\n`),
    (line) => (line.startsWith('RCPT') ? '251 will forward' : '250 OK'),
  );
  expect(await smtpTransport(url, from).send(makeEmail())).toEqual({
    outcome: 'sent',
    details: { response: `250 ${'q'.repeat(196)}` },
  });
});

test('retries if the server is unreachable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');

  expect(await smtpTransport(`smtp://127.0.0.1:${port}`, from).send(makeEmail())).toEqual({
    outcome: 'failed',
    reason: expect.stringContaining('ECONNREFUSED'),
  });
});
