import { randomInt } from 'node:crypto';
import { createServer, type Socket } from 'node:net';

const json = 'Content-Type: application/json';
const ok = 'HTTP/1.1 200 OK';

const reply = (status: string, body: string, ...lines: string[]): string =>
  [status, ...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');

/** Replies that Resend would never send, by name. None of them means that the email was sent. */
export const garbage: Record<string, (socket: Socket) => void> = {
  'an HTML page with 200': (socket) =>
    socket.end(reply(ok, '<h1>Welcome</h1>', 'Content-Type: text/html')),
  'an HTML page with 502': (socket) =>
    socket.end(reply('HTTP/1.1 502 Bad Gateway', '<h1>Bad gateway</h1>'.repeat(50))),
  'invalid JSON with 200': (socket) => socket.end(reply(ok, '{"id": "abc', json)),
  'an error with 200': (socket) =>
    socket.end(reply(ok, '{"name":"internal_server_error","message":"Try later"}', json)),
  'an empty id with 200': (socket) => socket.end(reply(ok, '{"id":""}', json)),
  'nothing with 200': (socket) => socket.end(reply(ok, '')),
  'a redirect': (socket) =>
    socket.end(reply('HTTP/1.1 302 Found', '', 'Location: http://127.0.0.1:1/elsewhere')),
  'an unknown status': (socket) => socket.end(reply('HTTP/1.1 599 Odd', '', json)),
  'a body that is longer than its Content-Length': (socket) =>
    socket.end(`${ok}\r\n${json}\r\nContent-Length: 5\r\n\r\n{"id":"abc"}`),
  'a body that is shorter than its Content-Length': (socket) =>
    socket.end(`${ok}\r\n${json}\r\nContent-Length: 500\r\n\r\n{"id":"abc"}`),
  'an endless body': (socket) => {
    socket.write(`${ok}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk));
      socket.once('drain', pour);
    };
    pour();
  },
  'endless headers': (socket) => {
    socket.write(`${ok}\r\n`);
    const pour = () => {
      while (!socket.destroyed && socket.write(`X-A: ${'x'.repeat(1_000)}\r\n`));
      socket.once('drain', pour);
    };
    pour();
  },
  'bytes of TLS': (socket) => socket.end(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])),
  'random bytes': (socket) =>
    socket.end(Buffer.from(Array.from({ length: 500 }, () => randomInt(256)))),
  'a closed connection': (socket) => socket.destroy(),
};

/** Each takes about thirty seconds, the server's timeout. */
export const slowGarbage: typeof garbage = {
  'no reply': () => undefined,
  'one byte a second': (socket) => {
    const text = reply(ok, '{"id":"abc"}', json);
    let sent = 0;
    const timer = setInterval(() => {
      if (socket.destroyed || sent === text.length) return clearInterval(timer);
      socket.write(text[sent] ?? '');
      sent += 1;
    }, 1_000);
    timer.unref();
  },
};

/** A server that reads requests and answers them with garbage, in turn. */
export function startGarbageProvider(port: number, answers: ((socket: Socket) => void)[]) {
  const sockets = new Set<Socket>();
  let next = 0;
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    let received = '';
    let isAnswered = false;
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
      const start = received.indexOf('\r\n\r\n') + 4;
      if (isAnswered || start < 4 || received.length < start + length) return;
      isAnswered = true;
      requests += 1;
      answers[next % answers.length]?.(socket);
      next += 1;
    });
  }).listen(port, '127.0.0.1');
  return {
    requests: () => requests,
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
