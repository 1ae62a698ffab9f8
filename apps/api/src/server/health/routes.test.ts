import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { close } from '@app/db/open';
import { expect, test } from 'vitest';
import { makeTestApp } from '../../testing/test-app.ts';

test('reports ok with versions and queue depths', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  testApp.emails.answer = ({ to }) =>
    to.startsWith('gone')
      ? { outcome: 'refused', reason: 'no such mailbox' }
      : { outcome: 'failed', reason: 'try later' };
  for (const email of ['gone@example.com', 'slow@example.com', 'slower@example.com']) {
    await testApp.browser().post('/api/auth/sign-up', { email, password: 'correct horse' });
  }
  await testApp.deps.outbox.drain();

  const response = await testApp.browser().get('/api/health');

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: 'ok',
    problems: [],
    versions: { node: process.version, build: 'build-1' },
    queues: { mail: { queued: 2, dead: 1 }, publishing: { pending: 0 } },
  });
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
  await using testApp = await makeTestApp({ publishes: true });
  close(testApp.deps.db);
  const response = await testApp.browser().get('/api/health');
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: 'degraded',
    problems: ['The database cannot be read.'],
    queues: null,
  });
});
