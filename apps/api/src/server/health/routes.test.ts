import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { close } from '@app/db/open';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { expect, test } from 'vitest';
import packageJson from '../../../../../package.json' with { type: 'json' };
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';

const metricsToken = 'f'.repeat(32);
const withToken = { headers: { Authorization: `Bearer ${metricsToken}` } };

test('reports ok with versions and, with METRICS_TOKEN, queue depths', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { metricsToken } });
  testApp.emails.answer = ({ to }) =>
    to.startsWith('gone')
      ? { outcome: 'refused', reason: 'no such mailbox' }
      : { outcome: 'failed', reason: 'try later' };
  for (const email of ['gone@example.com', 'slow@example.com', 'slower@example.com']) {
    await testApp.browser().post('/api/auth/sign-up', { email, password: 'correct horse' });
  }
  await testApp.deps.outbox.drain();

  const response = await testApp.browser().get('/api/health');
  const whole = await testApp.browser().request('GET', '/api/health', withToken);

  expect(response.status).toBe(200);
  const forEverybody = {
    status: 'ok',
    problems: [],
    versions: { app: packageJson.version, node: process.version, build: 'build-1' },
    reports: { errors: 0, policyViolations: 0 },
  };
  expect(await response.json()).toEqual(forEverybody);
  const queues = { mail: { queued: 2, dead: 1 }, publishing: { pending: 0 } };
  expect(await whole.json()).toEqual({ ...forEverybody, queues });
});

test.each([
  ['another token', metricsToken, `Bearer ${'e'.repeat(32)}`],
  ['no token while none is set', undefined, 'Bearer '],
])('does not report queue depths for %s', async (_what, setToken, authorization) => {
  await using testApp = await makeTestApp({
    publishes: true,
    settings: { metricsToken: setToken },
  });
  const headers = { Authorization: authorization };
  const response = await testApp.browser().request('GET', '/api/health', { headers });
  expect(response.status).toBe(200);
  expect(await response.json()).not.toHaveProperty('queues');
});

test('answers 503 without a published site', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  rmSync(join(testApp.dataDir, 'site'));
  const response = await testApp.browser().get('/api/health');
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'busy' });
});

test('reports each problem until it is resolved', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { health } = testApp.deps;
  health.report('disk', 'The disk is full.');
  health.report('publishing', 'A post cannot be rendered.');
  health.clear('disk');

  const degraded = await testApp.browser().get('/api/health');
  health.clear('publishing');
  const ok = await testApp.browser().get('/api/health');

  expect(degraded.status).toBe(200);
  expect(await degraded.json()).toMatchObject({
    status: 'degraded',
    problems: ['A post cannot be rendered.'],
  });
  expect(await ok.json()).toMatchObject({ status: 'ok', problems: [] });
});

test('reports an unreadable database without its cause', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { metricsToken } });
  close(testApp.deps.db);
  const response = await testApp.browser().request('GET', '/api/health', withToken);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: 'degraded',
    problems: ['The database cannot be read.'],
    queues: null,
  });
});

const readiness = async (testApp: TestApp) => {
  const response = await testApp.browser().get('/api/health/ready');
  const { detail } = (await response.json()) as { detail?: string };
  return detail === undefined ? response.status : `${response.status}: ${detail}`;
};

test('is live without a site and a database', async () => {
  await using testApp = await makeTestApp();
  close(testApp.deps.db);
  const response = await testApp.browser().get('/api/health/live');
  expect([response.status, await response.json()]).toEqual([200, { status: 'live' }]);
});

test('is ready while everything works, but not while the server stops', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  expect(await readiness(testApp)).toBe(200);
  testApp.deps.health.stop();
  expect(await readiness(testApp)).toBe('503: The server is stopping.');
});

test('is not ready without a published site', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  rmSync(join(testApp.dataDir, 'site'));
  expect(await readiness(testApp)).toBe('503: The site is not published yet.');
});

test('is not ready when the database cannot be read', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  close(testApp.deps.db);
  expect(await readiness(testApp)).toBe('503: The database cannot be read.');
});

test('is not ready while the disk is full, and ready again after a write', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  expect(await readiness(testApp)).toBe(200);
  testApp.deps.storage.note(Object.assign(new Error('write'), { code: 'ENOSPC' }));
  expect(await readiness(testApp)).toMatch(/^503: The disk is full/);
  await expect.poll(() => readiness(testApp)).toBe(200);
});

test('checks at most every 30 seconds whether anything can be written', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  expect(await readiness(testApp)).toBe(200);
  // A folder in its place keeps the probe file from being written.
  mkdirSync(join(testApp.dataDir, '.probe'));
  testApp.clock.move(30_000);
  expect(await readiness(testApp)).toBe(200);
  testApp.clock.move(1);
  expect(await readiness(testApp)).toBe('503: Nothing can be saved.');
});

testOnFile(
  'concurrent readiness checks share a write',
  'counts the changes of its only connection',
  async () => {
    await using testApp = await makeTestApp({ publishes: true });
    const { db } = testApp.deps;
    const writes = () => Number(db.$client.prepare('select total_changes()').pluck().get());
    const before = writes();
    await readiness(testApp);
    const ofOne = writes() - before;
    testApp.clock.move(30_001);
    await Promise.all(Array.from({ length: 5 }, () => readiness(testApp)));
    expect(ofOne).toBeGreaterThan(0);
    expect(writes() - before).toBe(2 * ofOne);
  },
);
