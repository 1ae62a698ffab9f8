import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';
import type { AppEnv } from './context.ts';

async function addressOf(peer: string | undefined, forwarded?: string, trustProxy: string[] = []) {
  const app = new Hono<AppEnv>().get('/', (c) =>
    c.json(clientAddress(c, { settings: { trustProxy } })),
  );
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
  const env = { incoming: { socket: { remoteAddress: peer } } };
  return (await app.request('/', { headers }, env)).json();
}

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
])('a client at %s counts as %s', async (peer, expected) => {
  expect(await addressOf(peer)).toBe(expected);
});

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', undefined])(
  'does not count requests from %s',
  async (peer) => {
    expect(await addressOf(peer)).toBe(null);
    expect(await addressOf(peer, '203.0.113.7')).toBe(null);
  },
);

test('ignores X-Forwarded-For from an untrusted peer', async () => {
  expect(await addressOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
  expect(await addressOf('203.0.113.7', '198.51.100.1', ['10.0.0.0/8'])).toBe('203.0.113.7');
});

test.each([
  ['198.51.100.1', '198.51.100.1'],
  // Anything left of the proxy's entry may be forged.
  ['1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['1.1.1.1,  ::ffff:198.51.100.1 ,fd00::7', '198.51.100.1'],
  ['198.51.100.1:4711', '198.51.100.1'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['10.0.0.8, 10.0.0.9', '10.0.0.8'],
])('behind trusted proxies, X-Forwarded-For: %j identifies %s', async (forwarded, expected) => {
  const trusted = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];
  for (const peer of ['127.0.0.1', '::ffff:10.0.0.1', 'fd00::1']) {
    expect(await addressOf(peer, forwarded, trusted)).toBe(expected);
  }
});

test.each([
  undefined,
  '',
  ' ',
  '198.51.100.1,',
  '198.51.100.1, ',
  '198.51.100.1, unknown',
  '198.51.100.1, 1',
  '198.51.100.1, 999.1.1.1',
  '198.51.100.1, 198.51.100.1.evil.example',
  '198.51.100.1;',
  'x'.repeat(10_000),
])('counts a trusted proxy that does not name its client (%j)', async (forwarded) => {
  const trusted = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];
  expect(await addressOf('127.0.0.1', forwarded, trusted)).toBe('127.0.0.1');
  expect(await addressOf('::ffff:10.0.0.1', forwarded, trusted)).toBe('10.0.0.1');
  expect(await addressOf('fd00::1', forwarded, trusted)).toBe('fd00::/64');
});

test('counts the trusted proxy whose entry is malformed', async () => {
  const trusted = ['127.0.0.1', '10.0.0.0/8'];
  expect(await addressOf('127.0.0.1', '198.51.100.1, ?, 10.0.0.9', trusted)).toBe('10.0.0.9');
});

test('counts a client that claims to be localhost', async () => {
  expect(await addressOf('10.0.0.1', '127.0.0.1', ['10.0.0.0/8'])).toBe('127.0.0.1');
});
