import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type Attack, attacker, pick, send, type World } from '../attack.ts';
import { randomAddress } from '../client.ts';

const json = (depth: number, open: string, close: string) =>
  open.repeat(depth) + close.repeat(depth);

const junkBodies: readonly (() => string | Uint8Array)[] = [
  () => json(200_000, '[', ']'),
  () => json(100_000, '{"a":', '}').replace(':}', ':1}'),
  () => `{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}`,
  () => `{"email":${JSON.stringify('a'.repeat(900_000))}}`,
  () => `{"email":"${'@'.repeat(500_000)}"}`,
  () => `{"email":["a@example.com"],"password":{"length":8}}`,
  () => `{"title":1e400,"content":-0,"slug":null,"published":"yes"}`,
  () => '{"email":"a@example.com"',
  () => randomBytes(100_000),
  () => '',
  () => `{"token":"${'A'.repeat(500_000)}","password":"${'é'.repeat(200_000)}"}`,
  () => `{"name":"${'a\\u0301'.repeat(120_000)}"}`,
  () => `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
];

const changes: readonly [method: string, path: string][] = [
  ['POST', '/api/auth/sign-up'],
  ['POST', '/api/auth/sign-in'],
  ['POST', '/api/auth/resend-confirmation'],
  ['POST', '/api/auth/confirm'],
  ['POST', '/api/auth/forgot-password'],
  ['POST', '/api/auth/reset-password'],
  ['PUT', '/api/auth/password'],
  ['POST', '/api/auth/email'],
  ['POST', '/api/auth/change-email'],
  ['DELETE', '/api/auth/sessions/none'],
  ['PATCH', '/api/profile'],
  ['PUT', '/api/profile/avatar'],
  ['POST', '/api/posts'],
  ['PATCH', '/api/posts/none'],
  ['DELETE', '/api/posts/none'],
  ['POST', '/api/contact'],
  ['POST', '/api/newsletter'],
  ['POST', '/api/newsletter/confirm'],
  ['POST', '/api/careers'],
  ['POST', '/api/mail/resend-events'],
];

const longPaths: readonly (() => string)[] = [
  () => `/a${'/'.repeat(15_000)}`,
  () => `/${'a/'.repeat(7_000)}`,
  () => `/blog/${'%2e%2e%2f'.repeat(1_500)}`,
  () => `/${'.html'.repeat(3_000)}`,
  () => `/blog/${'-'.repeat(15_000)}`,
  () => `/?${'a=b&'.repeat(3_500)}`,
  () => `/api/${'%F0%9F%94%A5'.repeat(1_200)}`,
  () => '/\\'.repeat(5_000),
  () => `/uploads/avatars/${'../'.repeat(4_000)}site.db`,
  () => `/api/posts?cursor=${'A'.repeat(14_000)}`,
];

const hostileHeaders: readonly (() => Record<string, string>)[] = [
  () => ({ 'X-Forwarded-For': ',' }),
  () => ({ 'X-Forwarded-For': '1.2.3.4, not-an-address' }),
  () => ({ 'X-Forwarded-For': '1,'.repeat(5_000) }),
  () => ({ Cookie: `session=${'a'.repeat(12_000)}` }),
  () => ({ Cookie: 'session=a; '.repeat(1_000) }),
  () => ({ 'Accept-Encoding': 'br;q=0.1,'.repeat(1_500) }),
  () => ({ 'If-None-Match': '"a",'.repeat(3_000) }),
  () => ({ Range: `bytes=${'0-1,'.repeat(3_000)}` }),
  () => ({ 'User-Agent': 'Mozilla/5.0 ('.repeat(1_000) }),
  () => ({ 'Idempotency-Key': '"'.repeat(10_000) }),
];

/** Sends these bytes, then one more every three seconds for up to a minute. */
async function drip({ client: { url }, isOver }: World, head: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let isOpen = true;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
  });
  socket.resume();
  socket.write(head);
  for (let n = 0; isOpen && n < 20 && !isOver(); n += 1) {
    await setTimeout(3_000);
    if (isOpen) socket.write('a');
  }
  socket.destroy();
}

export const requestAttacks: readonly Attack[] = [
  {
    name: 'long and malformed paths',
    pause: 20,
    workers: 2,
    async round(world, n) {
      await send(world, 'GET', pick(longPaths, n)());
    },
  },
  {
    name: 'hostile headers',
    pause: 40,
    async round(world, n) {
      const path = pick(['/', '/blog', '/api/posts', '/profile', '/blog/rss.xml'], n);
      await send(world, 'GET', path, { headers: pick(hostileHeaders, n)() });
    },
  },
  {
    name: 'junk to every endpoint',
    pause: 40,
    workers: 2,
    async round(world, n) {
      const [method, path] = pick(changes, n);
      const body = pick(junkBodies, Math.floor(n / changes.length))();
      const { session } = attacker(world, n);
      const forms = { 'Content-Type': 'application/x-www-form-urlencoded' };
      await send(world, method, path, { session, body, ...(n % 3 === 0 && { headers: forms }) });
    },
  },
  {
    name: 'one byte every three seconds',
    pause: 1_000,
    workers: 30,
    async round(world, n) {
      const { url } = world.client;
      const head = `POST ${pick(['/api/contact', '/api/posts', '/api/auth/sign-in'], n)} HTTP/1.1\r\nHost: x\r\nOrigin: ${url}\r\nX-Forwarded-For: ${randomAddress()}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
      await drip(world, n % 2 === 0 ? head : 'GET / HTTP/1.1\r\nX-Slow: ');
    },
  },
];
