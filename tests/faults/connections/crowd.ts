import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Crowd {
  name: string;
  sockets: Socket[];
}

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
};

/** In groups, because the server's queue of connections is limited. */
async function openMany(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const group = Math.min(100, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: group }, () => open(port)))));
  }
  return sockets;
}

const byteMilliseconds = 2_000;

async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return;
    socket.write(byte);
    await pause(byteMilliseconds, undefined, { ref: false });
  }
}

const head = (port: number, request: string, ...lines: string[]): string =>
  [request, `Host: localhost:${port}`, ...lines, '\r\n'].join('\r\n');

/** Connections without a request. */
export async function idle(port: number, count: number): Promise<Crowd> {
  const sockets = await openMany(port, count);
  for (const socket of sockets) socket.resume();
  return { name: 'idle connections', sockets };
}

/** Headers that never end (slow loris). */
export async function slowHeaders(port: number, count: number): Promise<Crowd> {
  const sockets = await openMany(port, count);
  const request = `GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${'x'.repeat(1_000)}`;
  for (const socket of sockets) {
    socket.resume();
    void drip(socket, request);
  }
  return { name: 'slow headers', sockets };
}

export async function slowBodies(port: number, count: number): Promise<Crowd> {
  const sockets = await openMany(port, count);
  for (const socket of sockets) {
    socket.resume();
    const lines = ['Content-Type: application/json', `Origin: http://localhost:${port}`];
    socket.write(head(port, 'POST /api/contact HTTP/1.1', ...lines, 'Content-Length: 1000'));
    void drip(socket, `{"name": "${'x'.repeat(500)}`);
  }
  return { name: 'slow bodies', sockets };
}

/** Requests whose responses nobody reads. */
export async function stalledReaders(port: number, count: number, path: string): Promise<Crowd> {
  const sockets = await openMany(port, count);
  const requests = head(port, `GET ${path} HTTP/1.1`).repeat(500);
  for (const socket of sockets) {
    socket.pause();
    socket.write(requests);
  }
  return { name: 'stalled readers', sockets };
}

/**
 * Sends many requests at once over one connection.
 * @returns how many were answered with 200
 */
export async function pipeline(port: number, path: string, requests: number): Promise<number> {
  const socket = await open(port);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  const last = head(port, `GET ${path} HTTP/1.1`, 'Connection: close');
  socket.write(head(port, `GET ${path} HTTP/1.1`).repeat(requests - 1) + last);
  await once(socket, 'close');
  return received.match(/HTTP\/1\.1 200 OK\r\n/g)?.length ?? 0;
}

/** Closes its side of the connection before the response. @returns whether it got a 200 */
export async function halfClosed(port: number, path: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => socket.destroy());
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('end', () => socket.end());
  socket.end(head(port, `GET ${path} HTTP/1.1`));
  await once(socket, 'close');
  return received.startsWith('HTTP/1.1 200 OK\r\n');
}

export const stillOpen = ({ sockets }: Crowd): number =>
  sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;
