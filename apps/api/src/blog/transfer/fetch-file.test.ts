import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { fetchFile } from './fetch-file.ts';
import { isPublicAddress } from './public-address.ts';

let origin: string;
let requests = 0;

beforeAll(async () => {
  const server = createServer((request, response) => {
    requests += 1;
    const [, name, target] = /^\/(\w+)\??(.*)$/.exec(request.url ?? '') ?? [];
    if (name === 'file') response.end('bytes');
    else if (name === 'large') response.end('x'.repeat(2_000));
    else if (name === 'to') response.writeHead(302, { Location: target }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => {
    server.close();
  };
});

const load = (url: string, isAllowed?: (address: string) => boolean) =>
  fetchFile(url, {
    maxBytes: 1_000,
    signal: new AbortController().signal,
    ...(isAllowed && { isAllowed }),
  });
const isServer = (address: string): boolean => address === '127.0.0.1';

describe('a download', () => {
  test('follows redirects', async () => {
    expect(String(await load(`${origin}/to?${origin}/file`, isServer))).toBe('bytes');
    expect(String(await load(`${origin}/to?/file`, isServer))).toBe('bytes');
  });

  test.each([
    ['/large', 'it is larger than'],
    ['/missing', 'the server answered 404'],
    ['/to?/to?/to?/to?/to?/to?/to?/file', 'it redirects more than 5 times'],
    ['/to?file:///etc/passwd', 'file: is not allowed'],
    ['/to?http://10.0.0.1/', '10.0.0.1 is not a public address'],
    ['/to?http://[::1]/', '::1 is not a public address'],
    ['/to?http://169.254.169.254/latest/meta-data', '169.254.169.254 is not a public address'],
  ])('of %s is rejected', async (path, message) => {
    await expect(load(origin + path, isServer)).rejects.toThrow(message);
  });

  test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0'])(
    'from %s makes no request',
    async (host) => {
      const before = requests;
      const { port } = new URL(origin);
      await expect(load(`http://${host}:${port}/file`)).rejects.toThrow('public address');
      expect(requests).toBe(before);
    },
  );
});

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['localhost', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
