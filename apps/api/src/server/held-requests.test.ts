import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createHeldRequests } from './held-requests.ts';

const refuse: RequestListener = (_request, response) => response.writeHead(503).end();
const echo: RequestListener = (request, response) => void request.pipe(response);

async function serve(limits?: Parameters<typeof createHeldRequests>[1]) {
  const requests = createHeldRequests(refuse, limits);
  const server = createServer(requests.hold).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    port,
    post: (body: string) => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body }),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('holds requests with their bodies until they are released', async () => {
  using server = await serve();
  const replies = [server.post('one'), server.post('two')];
  await expect.poll(() => server.requests.size()).toBe(2);

  server.requests.release(echo);

  const texts = (await Promise.all(replies)).map((reply) => reply.text());
  expect(await Promise.all(texts)).toEqual(['one', 'two']);
  expect(server.requests.size()).toBe(0);
});

test('refuses requests above the limit at once', async () => {
  using server = await serve({ max: 1, milliseconds: 60_000 });
  const first = server.post('one');
  await expect.poll(() => server.requests.size()).toBe(1);

  expect((await server.post('two')).status).toBe(503);
  server.requests.release(echo);
  expect((await first).status).toBe(200);
});

test('refuses a request that has waited too long, once', async () => {
  using server = await serve({ max: 10, milliseconds: 1 });
  expect((await server.post('one')).status).toBe(503);
  expect(server.requests.size()).toBe(0);
});

test('forgets a request whose client disconnects', async () => {
  using server = await serve();
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => server.requests.size()).toBe(1);
  socket.destroy();
  await expect.poll(() => server.requests.size()).toBe(0);
});
