import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { limits } from '@app/contract/limits';
import { freePort } from '@app/db/testing/free-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ActivatedSite } from '../support/activated-site.ts';
import { Caddy, type Sent, whyNoCaddy } from '../support/caddy.ts';
import { openDatabase } from '../support/database.ts';
import { isFullRun } from '../support/full-run.ts';
import { waitForConfirmationLink } from '../support/mailbox.ts';
import { png } from '../support/pictures.ts';
import { temporaryFolder } from '../support/site-process.ts';

if (isFullRun && whyNoCaddy) console.log(`Tests with Caddy are skipped: ${whyNoCaddy}`);

describe.runIf(isFullRun && !whyNoCaddy)('behind Caddy with docs/deploy/Caddyfile', () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  let caddy: Caddy;
  let site: ActivatedSite;

  beforeAll(async () => {
    const port = await freePort();
    caddy = await Caddy.start(join(folder.path, 'caddy'), `127.0.0.1:${port}`);
    const env = { PUBLIC_URL: caddy.url, TRUST_PROXY: '127.0.0.1' };
    site = await ActivatedSite.start({ dataDir, port, env });
  });

  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await caddy[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const post = (path: string, body: object, { headers, ...sent }: Sent = {}) =>
    caddy.ask(path, {
      method: 'POST',
      headers: { Origin: caddy.url, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...sent,
    });

  test('pages keep the compression and the headers of the server', async () => {
    const plain = await caddy.ask('/about');
    const compressed = await caddy.ask('/about', { headers: { 'Accept-Encoding': 'gzip, br' } });
    const known = { 'Accept-Encoding': 'br', 'If-None-Match': String(compressed.headers.etag) };

    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      'content-length': String(plain.body.length),
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(plain.headers).not.toHaveProperty('server');
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(compressed.body)).toEqual(plain.body);
    expect((await caddy.ask('/about', { headers: known })).status).toBe(304);
  });

  test('http redirects to https, and other URLs of a page redirect to the canonical one', async () => {
    const to = { port: caddy.httpPort, path: '/about?from=ad', headers: { Host: 'localhost' } };
    const [insecure] = (await once(request(to).end(), 'response')) as [IncomingMessage];
    insecure.resume();
    const slash = await caddy.ask('/about/?from=ad');

    expect([insecure.statusCode, insecure.headers.location]).toEqual([
      308,
      'https://localhost/about?from=ad',
    ]);
    expect([slash.status, slash.headers.location]).toEqual([308, '/about?from=ad']);
  });

  test('missing paths get the 404 page', async () => {
    const { status, body } = await caddy.ask('/nothing');
    expect(status).toBe(404);
    expect(body.toString()).toContain('Oops! Page not found');
  });

  test('a form sent without JavaScript redirects to its page', async () => {
    const { status, headers } = await caddy.ask('/api/contact', {
      method: 'POST',
      headers: { Origin: caddy.url, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'name=Vera&email=vera%40example.com&message=Without+scripts',
    });
    expect([status, headers.location]).toEqual([303, '/contact#sent']);
  });

  test('a signed-in user uploads pictures up to the limit', async () => {
    const email = 'ann@example.com';
    await post('/api/auth/sign-up', { email, password: 'correct horse' });
    const link = new URL(await waitForConfirmationLink(dataDir, email));
    const token = link.searchParams.get('token');
    const { headers } = await post('/api/auth/confirm', { token });
    const session = headers['set-cookie']?.find((cookie) => cookie.startsWith('__Host-session='));
    const picture = await png(40);

    const upload = async (bytes: number) => {
      const form = new FormData();
      form.set('alt', 'A valve');
      form.set(
        'file',
        new Blob([new Uint8Array(picture), new Uint8Array(bytes - picture.length)]),
        'valve.png',
      );
      const encoded = new Response(form);
      return caddy.ask('/api/posts/pictures', {
        method: 'POST',
        headers: {
          Origin: caddy.url,
          Cookie: session?.split(';')[0] ?? '',
          'Content-Type': encoded.headers.get('Content-Type') ?? '',
        },
        body: await encoded.bytes(),
      });
    };

    expect(link.origin).toBe(caddy.url);
    expect(session).toMatch(/; HttpOnly;.* Secure$/);
    expect((await upload(limits.imageBytes)).status).toBe(201);
    const refused = await upload(limits.imageBytes + 1);
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: 'body_too_large' });
  });

  test('an oversized body gets a response, and the next request succeeds', async () => {
    const large = { message: 'x'.repeat(1_048_576) };
    const valid = { name: 'Vera', email: 'vera@example.com', message: 'After a large one' };
    const statuses: number[] = [];
    // Caddy reuses a connection to the server unless the server has announced that it will close it.
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await post('/api/contact', large, { isChunked: true })).status);
      statuses.push((await post('/api/contact', valid, { isChunked: true })).status);
    }
    expect(statuses).toEqual(Array<number[]>(5).fill([413, 201]).flat());
  });

  test('Caddy refuses bodies that the server would not read to the end', async () => {
    const headers = { 'Content-Length': '17000000' };
    const announced = await caddy.ask('/api/contact', { method: 'POST', headers });
    expect(announced.status).toBe(413);
    expect(announced.headers).not.toHaveProperty('retry-after');
    expect(announced.body.toString()).toBe('413 Request Entity Too Large');
  });

  test('rate limits count the real address of the client, not the claimed one', async () => {
    const search = (from: string, headers: Record<string, string> = {}) =>
      caddy.ask('/api/search?q=pipes', { from, headers });
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 200) {
      const claimed = `192.0.2.${statuses.length}`;
      const headers = { 'X-Forwarded-For': claimed, Forwarded: `for=${claimed}` };
      statuses.push((await search('127.0.0.2', headers)).status);
    }

    expect(statuses).toEqual([...Array<number>(120).fill(200), 429]);
    expect((await search('127.0.0.3')).status).toBe(200);
  });

  test('restarts under load do not fail requests or lose messages', async () => {
    let isOver = false;
    const broken: string[] = [];
    let pages = 0;
    async function read(): Promise<void> {
      const agent = caddy.agent();
      while (!isOver) {
        const { status, body } = await caddy.ask('/about', { agent });
        if (status !== 200) broken.push(`${status}: ${body}`);
        pages += 1;
      }
      agent.destroy();
    }
    const sent: string[] = [];
    async function write(visitor: number): Promise<void> {
      for (let n = 0; !isOver; n += 1) {
        const name = `Visitor ${visitor}, message ${n}`;
        const message = { name, email: 'visitor@example.com', message: `Pipe ${name} is out.` };
        // The limit is 30 messages per address.
        const from = `127.1.${visitor}.${1 + Math.floor(n / 20)}`;
        const { status, body } = await post('/api/contact', message, { from });
        if (status !== 201) broken.push(`${status}: ${body}`);
        sent.push(name);
      }
    }
    const load = [1, 2, 3, 4].flatMap((visitor) => [read(), read(), write(visitor)]);

    for (let restart = 0; restart < 5; restart += 1) {
      const [pagesBefore, sentBefore] = [pages, sent.length];
      await expect.poll(() => pages).toBeGreaterThanOrEqual(pagesBefore + 50);
      await expect.poll(() => sent.length).toBeGreaterThanOrEqual(sentBefore + 10);
      await site.restart();
    }
    isOver = true;
    await Promise.all(load);

    expect(broken).toEqual([]);
    using db = openDatabase(dataDir);
    const stored = db.$client
      .prepare<[], { name: string }>("SELECT name FROM contact_submissions WHERE name LIKE 'Visi%'")
      .all();
    expect(stored.map(({ name }) => name).toSorted()).toEqual(sent.toSorted());
  });

  test('Caddy says when to try again if there is no server', async () => {
    await using lonely = await Caddy.start(
      join(folder.path, 'lonely'),
      `127.0.0.1:${await freePort()}`,
    );
    const { status, headers, body } = await lonely.ask('/about');

    expect(status).toBe(502);
    expect(headers).toMatchObject({ 'retry-after': '30', 'cache-control': 'no-store' });
    expect(body.toString()).toBe('502 Bad Gateway. Please try again in a minute.');
  });
});
