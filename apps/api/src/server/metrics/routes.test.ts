import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { close } from '@app/db/open';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { describe, expect, test } from 'vitest';
import { examplePost } from '../../blog/routes.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';

const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

const read = async ({ app }: TestApp): Promise<string> =>
  (await app.request('/api/metrics', {}, from('127.0.0.1'))).text();

const samplesOf = (text: string): string[] =>
  text.split('\n').filter((line) => /^[a-z]/.test(line));

describe('without METRICS_TOKEN', () => {
  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('allows a program at %s', async (peer) => {
    await using testApp = await makeTestApp();
    for (const host of ['localhost:4321', '127.0.0.1', '[::1]:4321']) {
      const response = await testApp.app.request(`http://${host}/api/metrics`, {}, from(peer));
      expect([response.status, response.headers.get('Content-Type')]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
    }
  });

  // A proxy on the same machine makes all of its clients look local.
  test.each([
    ['another machine', '203.0.113.7', {}, []],
    [
      'another machine that claims to be local',
      '203.0.113.7',
      { 'X-Forwarded-For': '127.0.0.1' },
      [],
    ],
    ['a proxy', '127.0.0.1', { 'X-Forwarded-For': '203.0.113.7' }, ['127.0.0.1']],
    ['a proxy that is not trusted', '127.0.0.1', { 'X-Forwarded-For': '203.0.113.7' }, []],
    ['a forged address', '127.0.0.1', { 'X-Forwarded-For': '127.0.0.1' }, ['127.0.0.1']],
    ['a forged list', '127.0.0.1', { 'X-Forwarded-For': '127.0.0.1, ::1' }, ['127.0.0.1', '::1']],
    ['an empty list', '127.0.0.1', { 'X-Forwarded-For': '' }, ['127.0.0.1']],
    ['a proxy with another header', '127.0.0.1', { Forwarded: 'for=203.0.113.7' }, []],
    ['a proxy that only names itself', '127.0.0.1', { Via: '1.1 Caddy' }, []],
  ])('refuses %s', async (_who, peer, headers, trustProxy) => {
    await using testApp = await makeTestApp({ settings: { trustProxy } });
    const response = await testApp.app.request('/api/metrics', { headers }, from(peer));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'not_allowed' });
  });

  // A proxy that only forwards the host, or a page whose host name resolves to this machine.
  test.each(['example.com', 'localhost.example.com', '127.0.0.1.example.com'])(
    'refuses a request for %s',
    async (host) => {
      await using testApp = await makeTestApp();
      const url = `http://${host}/api/metrics`;
      expect((await testApp.app.request(url, {}, from('127.0.0.1'))).status).toBe(403);
    },
  );
});

test.each([
  ['Bearer', 200],
  ['bearer', 200],
  ['Basic', 403],
])(
  'with METRICS_TOKEN, answers `Authorization: %s` and the token with %i',
  async (scheme, status) => {
    const metricsToken = 'f'.repeat(32);
    await using testApp = await makeTestApp({ settings: { metricsToken } });
    const statusWith = async (headers: Record<string, string>, peer: string) =>
      (await testApp.app.request('https://example.com/api/metrics', { headers }, from(peer)))
        .status;
    for (const peer of ['203.0.113.7', '127.0.0.1']) {
      expect(await statusWith({ Authorization: `${scheme} ${metricsToken}` }, peer)).toBe(status);
      expect(await statusWith({}, peer)).toBe(403);
      for (const wrong of ['', 'f', 'f'.repeat(31), 'f'.repeat(33), 'e'.repeat(32)]) {
        expect(await statusWith({ Authorization: `${scheme} ${wrong}` }, peer)).toBe(403);
      }
    }
  },
);

describe('requests', () => {
  test('are counted by method, route and status class', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    await ann.post('/api/posts', { ...examplePost, slug: 'a-secret-slug' });
    await ann.get('/api/posts/a-secret-slug');
    await ann.request('HEAD', '/api/posts/a-secret-slug');
    await ann.get('/api/posts/missing');
    await ann.get('/profile');
    // Refused by middleware of the whole app.
    await ann.request('POST', '/api/contact', { headers: { Origin: 'https://evil.example' } });
    await ann.request('PUT', '/api/contact');
    await ann.get('/no-such-page');

    const text = await read(testApp);
    const counts = samplesOf(text)
      .filter((line) => line.startsWith('http_request_duration_seconds_count'))
      .map((line) => line.replace('http_request_duration_seconds_count', ''));
    const count = (method: string, route: string, status: string) =>
      `{method="${method}",route="${route}",status="${status}"} 1`;
    expect(counts).toEqual(
      expect.arrayContaining([
        count('POST', '/api/auth/sign-up', '2xx'),
        count('POST', '/api/posts', '2xx'),
        count('GET', '/api/posts/:post', '2xx'),
        count('HEAD', '/api/posts/:post', '2xx'),
        count('GET', '/api/posts/:post', '4xx'),
        count('GET', '/profile', '2xx'),
        count('POST', '/api/contact', '4xx'),
        count('PUT', 'none', '4xx'),
        count('GET', 'none', '4xx'),
      ]),
    );
    expect(text).not.toContain('secret');
  });

  test('to any number of paths add no series', async () => {
    await using testApp = await makeTestApp();
    const ask = async (name: string | number) => {
      for (const path of [`/${name}`, `/api/posts/${name}`, `/api/${name}`]) {
        await testApp.app.request(path);
        await testApp.app.request(path, { method: 'PROPFIND' });
      }
    };
    await ask('first');
    const { length } = samplesOf(await read(testApp));
    // That reading itself was counted.
    const withReading = samplesOf(await read(testApp)).length;
    for (let n = 0; n < 50; n += 1) await ask(n);
    expect(samplesOf(await read(testApp))).toHaveLength(withReading);
    expect(withReading).toBeGreaterThan(length);
  });
});

describe('values read on request', () => {
  const readingOf = (text: string, name: string): number | undefined => {
    const line = samplesOf(text).find((sample) => sample.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  };

  test('include queues, free space and problems', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    testApp.emails.answer = ({ to }) =>
      to.startsWith('gone')
        ? { outcome: 'refused', reason: 'no such mailbox' }
        : { outcome: 'failed', reason: 'try later' };
    for (const email of ['gone@example.com', 'slow@example.com', 'slower@example.com']) {
      await testApp.browser().post('/api/auth/sign-up', { email, password: 'correct horse' });
    }
    await testApp.deps.outbox.drain();
    testApp.deps.health.report('disk', 'The disk is full.');
    testApp.deps.passwords.depth = () => 3;

    const text = await read(testApp);

    expect(text).toContain('site_emails_queued 2\n');
    expect(text).toContain('site_emails_dead 1\n');
    expect(text).toContain('site_publish_pending 0\n');
    expect(text).toContain('site_problems 1\n');
    expect(text).toContain('site_password_hashes 3\n');
    expect(readingOf(text, 'site_disk_free_bytes')).toBeGreaterThan(0);
  });

  testOnFile('include the sizes of the database', 'a test replica is not in DATA_DIR', async () => {
    await using testApp = await makeTestApp();
    const text = await read(testApp);
    expect(readingOf(text, 'site_database_size_bytes')).toBeGreaterThan(4_096);
    expect(readingOf(text, 'site_database_wal_size_bytes')).toBeGreaterThanOrEqual(0);
  });

  test('include the duration of the last publish job', async () => {
    await using testApp = await makeTestApp({ publishes: true });
    expect(await read(testApp)).not.toMatch(/^site_last_publish_duration_seconds /m);
    const ann = await signedInBrowser(testApp);
    await ann.post('/api/posts', examplePost);
    await testApp.deps.publisher.settled();
    expect(await read(testApp)).toMatch(/^site_last_publish_duration_seconds \d/m);
  });

  test('include the last backup, if there is one', async () => {
    await using testApp = await makeTestApp();
    expect(await read(testApp)).not.toMatch(/^site_last_backup_/m);

    const file = join(testApp.dataDir, 'last-backup.json');
    const record = { time: '2026-03-01T12:00:00.000Z', file: '/backups/a.tar.gz', bytes: 12_345 };
    writeFileSync(file, JSON.stringify(record));
    const text = await read(testApp);
    expect(text).toContain('site_last_backup_timestamp_seconds 1772366400\n');
    expect(text).toContain('site_last_backup_size_bytes 12345\n');
    expect(text).not.toContain('tar.gz');

    for (const broken of ['', '{', '[]', '{"time":"yesterday","bytes":1}']) {
      writeFileSync(file, broken);
      expect(await read(testApp)).not.toMatch(/^site_last_backup_/m);
    }
    rmSync(file);
    mkdirSync(file);
    expect(await read(testApp)).not.toMatch(/^site_last_backup_/m);
  });

  test('leave out queues while the database cannot be read', async () => {
    await using testApp = await makeTestApp();
    expect(await read(testApp)).toMatch(/^site_emails_queued 0$/m);
    close(testApp.deps.db);
    const text = await read(testApp);
    expect(text).not.toMatch(/^site_(?:emails_queued|publish_pending) /m);
    expect(text).toMatch(/^site_problems 0$/m);
  });
});
