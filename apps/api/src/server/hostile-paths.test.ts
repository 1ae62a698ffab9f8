import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { isFullRun } from '../testing/full-run.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { createHttpServer } from './http-server.ts';

const runs = isFullRun ? 20_000 : 500;
const marker = 'outside of the published site';

const errors: string[] = [];
const log = createLog('error', { write: (line) => void errors.push(line) });
const testApp = await makeTestApp({ publishes: true, log });
const { metrics, siteFiles } = testApp.deps;
const server = createHttpServer({ log, metrics, isHttps: false });
let port: number;

beforeAll(async () => {
  for (const folder of ['', 'releases', 'uploads', 'uploads/avatars', 'uploads/pictures', 'mail']) {
    mkdirSync(join(testApp.dataDir, folder), { recursive: true });
    for (const name of ['secret.txt', 'secret.html', '.secret', 'secret.webp'])
      writeFileSync(join(testApp.dataDir, folder, name), marker);
  }
  port = await server.listen(0, '127.0.0.1');
  server.open(siteFiles, testApp.app);
});
afterAll(async () => {
  await server.close();
  await testApp[Symbol.asyncDispose]();
});

/**
 * Sends the path unchanged, which HTTP clients would normalize. If the connection was closed, the
 * reply is empty and has status 400.
 */
async function ask(path: string, method: string): Promise<{ status: number; text: string }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost:4321\r\nConnection: close\r\n\r\n`,
    'utf8',
  );
  const text = (await buffer(socket).catch(() => Buffer.alloc(0))).toString('latin1');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 400), text };
}

const start = fc.constantFrom(
  ...['/', '//', '/blog/', '/_astro/', '/cards/', '/uploads/', '/uploads/avatars/', '/pictures/'],
  ...[
    '/api/',
    '/api/posts/',
    '/api/docs/',
    '/.well-known/',
    '/site/',
    '',
    'http://localhost:4321/',
    '*',
  ],
);

const part = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        '..',
        '.',
        '%2e%2e',
        '%2e.',
        '.%2E',
        '%252e%252e',
        '..%2f',
        '%2f',
        '..%5c',
        '\\..\\',
        '..\\',
        '%5c',
      ],
      ...[
        '%c0%ae%c0%ae',
        '%u002e%u002e',
        '..;',
        '．．',
        '%ef%bc%8e%ef%bc%8e',
        '..%00',
        '..%0d%0a',
        '…',
      ],
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        'secret.txt',
        'secret',
        '.secret',
        'SECRET.TXT',
        'secret.txt%00',
        'secret.txt%20',
        'secret.webp',
      ],
      ...[
        'secret.html',
        'se%63ret.txt',
        'ｓecret.txt',
        'secre\u0301t',
        'site.db',
        'site.db-wal',
        'mail',
      ],
      ...[
        'releases',
        'uploads',
        'etc',
        'passwd',
        'index.html',
        'blog.html.br',
        '404',
        'blog',
        'INDEX',
        'rss.xml',
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '%',
      '%zz',
      '%f',
      '%00',
      '%ff',
      '%ed%a0%80',
      '?',
      '#',
      '&',
      ';',
      '~',
      '%7f',
      '$',
      '|',
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme' })
      .map((text) => encodeURIComponent(text.toWellFormed())),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a'.repeat(300),
      'a/'.repeat(500),
      '%61'.repeat(1_000),
      '../'.repeat(200),
      'x'.repeat(20_000),
    ),
  },
);

const anyPath = fc
  .tuple(start, fc.array(part, { minLength: 1, maxLength: 6 }), fc.constantFrom('/', '//', ''))
  .map(([first, parts, separator]) => first + parts.join(separator));

const up = fc.constantFrom(
  ...[
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '.%2e/',
    '..\\',
    '..%5c',
    '..;/',
    '%252e%252e/',
    '..//',
  ],
);
const file = fc.constantFrom('secret.txt', 'secret', 'site.db', 'etc/passwd', 'secret.webp');

/** Paths up through several folders to a file that exists. */
const climb = fc
  .tuple(start, up, fc.integer({ min: 1, max: 8 }), file)
  .map(([first, step, times, target]) => first + step.repeat(times) + target);

test('no path returns a file outside the site or a server error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(anyPath, climb),
      fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
      async (url, method) => {
        errors.length = 0;
        const { status, text } = await ask(url, method);
        expect(status).toBeLessThan(500);
        expect(errors).toEqual([]);
        expect(text).not.toContain(marker);
        expect(text).not.toContain('SQLite format 3');
        expect(text).not.toContain('root:x:0:');
      },
    ),
    { numRuns: runs, ...(isFullRun ? {} : { seed: 1 }) },
  );
});

test('would find the marker in a file that is served', async () => {
  writeFileSync(join(testApp.dataDir, 'site', 'public.txt'), marker);
  expect((await ask('/public.txt', 'GET')).text).toContain(marker);
  expect((await ask('/%70ublic.txt', 'GET')).text).toContain(marker);
});
