import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { day } from '@app/contract/durations';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { from, makeEmail, unusualAddresses } from '../testing/test-email.ts';
import { resendTransport } from './resend.ts';

interface Call {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: unknown;
}

let calls: Call[];
/** By default, accepts the email. */
let answer: RequestListener;
let baseUrl: string;

beforeEach(async () => {
  calls = [];
  answer = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' }));
  };
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    calls.push({ method, url, headers, body: await json(request) });
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => {
    server.closeAllConnections();
    server.close();
  };
});

const send = (change: Parameters<typeof makeEmail>[0] = {}) =>
  resendTransport('re_key', from, baseUrl).send(makeEmail(change));

const refuse = (statusCode: number, name: string, message: string): void => {
  answer = (_request, response) => {
    response.writeHead(statusCode, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ statusCode, name, message }));
  };
};

test('sends the id as idempotency key', async () => {
  const email = makeEmail();
  expect(await send()).toEqual({
    outcome: 'sent',
    details: { providerId: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' },
  });
  expect(calls).toMatchObject([
    {
      method: 'POST',
      url: '/emails',
      headers: { authorization: 'Bearer re_key', 'idempotency-key': email.id },
      body: {
        from,
        to: email.to,
        subject: email.subject,
        text: email.text,
        html: email.html,
        reply_to: email.replyTo,
        headers: { 'Message-ID': `<${email.id}@fieldlight.example>` },
      },
    },
  ]);
});

test.each(unusualAddresses)('sends %s unchanged', async (to) => {
  expect(await send({ to, replyTo: to })).toMatchObject({ outcome: 'sent' });
  expect(calls).toMatchObject([{ body: { to, reply_to: to } }]);
});

test('every attempt has the same idempotency key', async () => {
  await send({ attempts: 1 });
  await send({ attempts: 2 });
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([makeEmail().id, makeEmail().id]);
});

test('omits reply_to without a reply address', async () => {
  await send({ replyTo: null });
  expect(calls[0]?.body).not.toHaveProperty('reply_to');
});

test('sends additional headers, but keeps its own Message-ID', async () => {
  await send({ headers: { 'List-Unsubscribe': '<https://example.com/u>', 'Message-ID': '<x@y>' } });
  expect(calls[0]?.body).toMatchObject({
    headers: {
      'List-Unsubscribe': '<https://example.com/u>',
      'Message-ID': `<${makeEmail().id}@fieldlight.example>`,
    },
  });
});

test.each<[number, string, string, string?]>([
  [400, 'invalid_idempotency_key', 'refused'],
  [400, 'validation_error', 'refused'],
  [401, 'missing_api_key', 'failed', 'login'],
  [403, 'invalid_api_key', 'failed', 'login'],
  [403, 'validation_error', 'failed', 'sender'],
  [404, 'not_found', 'failed'],
  [405, 'method_not_allowed', 'failed'],
  [409, 'concurrent_idempotent_requests', 'failed'],
  [409, 'invalid_idempotent_request', 'refused'],
  [413, 'validation_error', 'refused'],
  [422, 'validation_error', 'refused'],
  [422, 'invalid_from_address', 'failed', 'sender'],
  [451, 'security_error', 'refused'],
  [500, 'internal_server_error', 'failed'],
  [503, 'service_unavailable', 'failed'],
])('%i %s counts as %s', async (statusCode, name, outcome, refuses) => {
  refuse(statusCode, name, 'Not this time.');
  const reason = `${statusCode}: Not this time.`;
  expect(await send()).toEqual({ outcome, reason, ...(refuses && { refuses }) });
});

test.each([
  ['1', 1_000],
  ['86400', day],
  ['0', 60_000],
  ['00', 60_000],
  [undefined, 60_000],
  ['soon', 60_000],
])('429 with Retry-After %s pauses all email for %i ms', async (retryAfter, milliseconds) => {
  answer = (_request, response) => {
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
    response.writeHead(429, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({ statusCode: 429, name: 'rate_limit_exceeded', message: 'Slower.' }),
    );
  };
  expect(await send()).toEqual({
    outcome: 'rate_limited',
    reason: '429: Slower.',
    retryAfter: milliseconds,
  });
});

test("retries after a proxy's error page", async () => {
  answer = (_request, response) => {
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad\n  Gateway</h1>');
  };
  expect(await send()).toEqual({ outcome: 'failed', reason: '502: <h1>Bad Gateway</h1>' });
});

test.each([
  ['a page', 200, '<h1>Welcome</h1>', '200: <h1>Welcome</h1>'],
  ['nothing', 200, '', '200: '],
  ['no content', 204, '', '204: '],
  ['no id', 200, '{"ok":true}', '200: {"ok":true}'],
  ['an empty id', 200, '{"id":""}', '200: {"id":""}'],
  ['an id that is not a string', 200, '{"id":7}', '200: {"id":7}'],
  ['null', 200, 'null', '200: null'],
  ['half a reply', 200, '{"id":"49a3', '200: {"id":"49a3'],
  ['a list of ids', 202, '[{"id":"49a3"}]', '202: [{"id":"49a3"}]'],
])('a success with %s does not count as sent', async (_what, status, body, reason) => {
  answer = (_request, response) => void response.writeHead(status).end(body);
  expect(await send()).toEqual({ outcome: 'failed', reason });
});

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) fails and is not followed',
  async (status) => {
    const others: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      others.push(request.headers.authorization);
      response.writeHead(200).end('{"id":"of somebody else"}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    answer = (_request, response) => {
      const headers = { Location: `http://127.0.0.1:${port}/emails` };
      response.writeHead(status, headers).end('{"id":"49a3999c"}');
    };

    expect(await send()).toEqual({ outcome: 'failed', reason: `${status}: {"id":"49a3999c"}` });
    expect(calls).toHaveLength(1);
    expect(others).toEqual([]);
  },
);

test('truncates long responses and stops reading endless ones', async () => {
  answer = (request, response) => {
    response.writeHead(500);
    const more = () => {
      while (!request.socket.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  };
  expect(await send()).toEqual({ outcome: 'failed', reason: `500: ${'x'.repeat(200)}` });
});

test('retries after a broken connection', async () => {
  answer = (request) => void request.socket.destroy();
  expect(await send()).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/^no response: /),
  });
});

test('retries after a timeout', async () => {
  const timeout = new AbortController();
  const timeoutAfter = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  answer = () => timeout.abort(new DOMException('timed out', 'TimeoutError'));
  expect((await send()).outcome).toBe('failed');
  expect(timeoutAfter).toHaveBeenCalledWith(30_000);
});

test('retries if the provider is unreachable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');

  const transport = resendTransport('re_key', from, `http://127.0.0.1:${port}`);
  expect(await transport.send(makeEmail())).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/^no response: .*ECONNREFUSED/),
  });
});
