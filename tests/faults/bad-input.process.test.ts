import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { open } from '@app/db/open';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

const folder = temporaryFolder();
let site: SiteProcess;

beforeAll(async () => {
  site = await SiteProcess.start({ dataDir: folder.path });
});

// After each bad input, the server still responds, and nothing is stored.
afterEach(async () => {
  expect((await fetch(site.url)).status).toBe(200);
  const { $client: client } = open(join(folder.path, 'site.db'));
  expect(client.prepare('SELECT count(*) AS stored FROM contact_submissions').get()).toEqual({
    stored: 0,
  });
  client.close();
});

afterAll(async () => {
  expect(await site.stop()).toEqual({ code: 0, signal: null, stderr: '' });
  folder[Symbol.dispose]();
});

/** @returns everything that comes back until the connection ends */
function answerTo(request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(site.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => socket.destroy()).on('close', () => resolve(answer));
    socket.write(request);
  });
}

const head = (...lines: string[]): string =>
  [
    'POST /api/contact HTTP/1.1',
    `Host: localhost:${site.port}`,
    `Origin: ${site.url}`,
    'Content-Type: application/json',
    'Connection: close',
    ...lines,
    '\r\n',
  ].join('\r\n');

test('rejects a body whose Content-Length is too large', async () => {
  const answer = await answerTo(head('Content-Length: 2097152') + 'x'.repeat(2_097_152));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('"code":"body_too_large"');
});

test('rejects an oversized body without Content-Length', async () => {
  const chunks = `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(32);
  const answer = await answerTo(`${head('Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('"code":"body_too_large"');
});

test('stores no message if the body is incomplete', async () => {
  const socket = connect(site.port, '127.0.0.1');
  socket.end(`${head('Content-Length: 1000')}{"name":"Vera","email":"vera@example.com"`);
  expect(await text(socket)).not.toMatch(/ 2\d\d /);
});

test('rejects Content-Length with Transfer-Encoding (request smuggling)', async () => {
  const both = head('Content-Length: 4', 'Transfer-Encoding: chunked');
  expect(await answerTo(`${both}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(['\u0016\u0003\u0001\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'GET\r\n\r\n'])(
  'rejects %j, which is not an HTTP/1.1 request',
  async (request) => {
    expect(await answerTo(request)).toMatch(/^HTTP\/1\.1 400 /);
  },
);

test.each([
  '/../../site.db',
  '/..%2f..%2fsite.db',
  '/%2e%2e/site.db',
  '/.new-index',
  '/%00',
  '/%ff',
])('%j does not lead to a file outside of the site', async (path) => {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  expect(await answerTo(request)).toMatch(/^HTTP\/1\.1 404 /);
});
