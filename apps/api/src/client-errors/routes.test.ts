import type { ClientError } from '@app/contract/client-errors/client-errors';
import { maxText } from '@app/contract/client-errors/limits';
import { hour } from '@app/contract/durations';
import { expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { createLog } from '../log.ts';
import { makeTestApp, publicUrl, TestBrowser } from '../testing/test-app.ts';

const boom: ClientError = {
  kind: 'error',
  message: 'TypeError: boom',
  stack: `TypeError: boom\n    at f (${publicUrl}/_astro/form.Bq3x.js:1:200)`,
};

async function makeLoggedApp() {
  const testApp = await makeTestApp();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const app = createApp({ ...testApp.deps, log });
  let browsers = 0;
  return {
    lines,
    clock: testApp.clock,
    /** Each report comes from another address. */
    send: (report: object = boom) => {
      browsers += 1;
      const address = `198.18.${browsers >> 8}.${browsers & 255}`;
      return new TestBrowser(app, publicUrl, address).post('/api/client-errors', report);
    },
    metrics: async () =>
      (
        await app.request('/api/metrics', {}, { incoming: { socket: { remoteAddress: '::1' } } })
      ).text(),
    health: async () => (await app.request('/api/health')).json(),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  };
}

test('counts reports, and logs each message and stack frame once an hour', async () => {
  await using app = await makeLoggedApp();
  for (let n = 0; n < 5; n += 1) expect((await app.send()).status).toBe(204);
  await app.send({ ...boom, message: 'TypeError: another' });
  await app.send({ ...boom, stack: boom.stack.replace('1:200', '1:300') });
  await app.send({ ...boom, kind: 'csp', message: 'img-src https://evil.example/a.png' });
  const frame = '/_astro/form.Bq3x.js:1:200';
  expect(app.lines).toMatchObject([
    { level: 'warn', msg: 'browser error', message: 'TypeError: boom', frame, reports: 1 },
    { msg: 'browser error', message: 'TypeError: another', frame, reports: 1 },
    { msg: 'browser error', message: 'TypeError: boom', frame: '/_astro/form.Bq3x.js:1:300' },
    {
      msg: 'blocked by the content security policy',
      message: 'img-src https://evil.example/a.png',
    },
  ]);

  app.clock.move(hour);
  await app.send();
  expect(app.lines).toHaveLength(5);
  // Includes the reports that were not logged.
  expect(app.lines.at(-1)).toMatchObject({ message: 'TypeError: boom', reports: 5 });
  expect(await app.metrics()).toContain('site_client_reports_total{kind="error"} 8\n');
  expect(await app.metrics()).toContain('site_client_reports_total{kind="csp"} 1\n');
});

test('/api/health has the counts, and is not degraded by reports of strangers', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const browser = testApp.browser();
  await browser.post('/api/client-errors', boom);
  await browser.post('/api/client-errors', { ...boom, kind: 'csp' });
  expect(await (await browser.get('/api/health')).json()).toMatchObject({
    status: 'ok',
    problems: [],
    reports: { errors: 1, policyViolations: 1 },
  });
});

test('limits an address to twenty reports per minute', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  for (let n = 0; n < 20; n += 1) {
    expect((await browser.post('/api/client-errors', boom)).status).toBe(204);
  }
  const refused = await browser.post('/api/client-errors', boom);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect((await testApp.browser().post('/api/client-errors', boom)).status).toBe(204);
  testApp.clock.move(60_000);
  expect((await browser.post('/api/client-errors', boom)).status).toBe(204);
});

test('a flood from many addresses does not hide an error that visitors report', async () => {
  await using app = await makeLoggedApp();
  for (let n = 0; n < 1_000; n += 1) {
    expect(
      (await app.send({ ...boom, message: `invented ${String.fromCharCode(0x4e00 + n)}` })).status,
    ).toBe(204);
  }
  const errors = () => app.lines.filter(({ msg }) => msg === 'browser error');
  expect(errors()).toHaveLength(20);
  for (let n = 0; n < 4; n += 1) expect((await app.send()).status).toBe(204);
  expect(errors()).toHaveLength(21);
  expect(errors().at(-1)).toMatchObject({ message: 'TypeError: boom', reports: 4, addresses: 4 });
  expect(await app.metrics()).toContain('site_client_reports_total{kind="error"} 1004\n');

  app.clock.move(60_000);
  await app.send({ ...boom, message: 'TypeError: of one visitor' });
  expect(errors().at(-1)).toMatchObject({ message: 'TypeError: of one visitor' });
});

test('accepts the largest report, but no larger one', async () => {
  await using app = await makeLoggedApp();
  // Each character is escaped as six.
  const largest = { kind: 'error', message: '\0'.repeat(maxText), stack: '\0'.repeat(maxText) };
  expect((await app.send(largest)).status).toBe(204);
  expect((await app.send({ ...boom, message: 'x'.repeat(maxText + 1) })).status).toBe(422);
  expect((await app.send({ ...boom, stack: 'x'.repeat(maxText + 1) })).status).toBe(422);
  expect((await app.send({ ...boom, stack: 'x'.repeat(16_384) })).status).toBe(413);
  expect((await app.send({ ...boom, kind: 'warning' })).status).toBe(422);
  expect((await app.send({ ...boom, url: '/contact' })).status).toBe(422);
});
