import { DrizzleQueryError } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from './app.ts';
import { createLog } from './log.ts';
import { makeTestApp } from './testing/test-app.ts';

function makeLog(level = 'debug') {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

const long = 'x'.repeat(100_000);
const cutLong = `${'x'.repeat(200)}…`;

test('truncates nested texts', () => {
  const { log, lines } = makeLog();
  log.info({ path: long, headers: { referer: long }, paths: [long] }, 'something');
  expect(lines).toMatchObject([
    { path: cutLong, headers: { referer: cutLong }, paths: [cutLong], msg: 'something' },
  ]);
  log.info({ paths: Array.from({ length: 1_000 }, () => long) }, 'something');
  expect(JSON.stringify(lines[1]).length).toBeLessThan(6_000);
});

test.each([
  ['550 5.1.1 <vera@example.com>: user unknown', '550 5.1.1 <…>: user unknown'],
  ['422: Invalid `to`: "Vera <vera+a@mail.example.co.uk>".', '422: Invalid `to`: "Vera <…>".'],
  ['/unsubscribe/vera%40example.com', '/unsubscribe/…'],
  ['no vera@example.com.', 'no …'],
  ["<pat.o'brien@example.com> and 'ann@example.com'", "<…> and '…'"],
  ['josé@exämple.рф, jo@xn--bcher-kva.xn--p1ai', '…, …'],
  [`${'x '.repeat(95)}vera@example.com`, `${'x '.repeat(95)}…`],
  // Not addresses.
  ['node_modules/.pnpm/pino@10.4.0/node_modules/@hono/node-server', null],
  ['at @ and @app/db', null],
])('logs %j as %j', (text, expected) => {
  const { log, lines } = makeLog();
  log.info({ reason: text, err: new Error(text) }, 'something');
  expect(lines).toMatchObject([{ reason: expected ?? text, err: { message: expected ?? text } }]);
});

test('logs no values of a short statement', () => {
  const { log, lines } = makeLog();
  log.error(
    { err: new DrizzleQueryError('select ?', ['Vera Vogel'], new Error('busy')) },
    'failed',
  );
  expect(lines).toMatchObject([{ err: { message: 'Failed query: select ?' } }]);
  expect(JSON.stringify(lines)).not.toContain('Vera');
});

test('does not change short texts, numbers and null', () => {
  const { log, lines } = makeLog();
  log.warn({ path: 'x'.repeat(200), milliseconds: 1.5, none: null, is: true }, 'something');
  expect(lines).toMatchObject([
    { level: 'warn', path: 'x'.repeat(200), milliseconds: 1.5, none: null, is: true },
  ]);
});

test('logs an error with causes and frames, without statement values', () => {
  const { log, lines } = makeLog();
  const cause = Object.assign(new Error(long), { code: 'SQLITE_FULL' });
  log.error(
    { err: new DrizzleQueryError(`insert into posts ${long}`, ['secret'], cause) },
    'failed',
  );
  const [line] = lines;
  expect(line).toMatchObject({
    err: {
      stack: expect.arrayContaining([expect.stringMatching(/^at /)]),
      cause: { message: cutLong, code: 'SQLITE_FULL' },
    },
  });
  expect(JSON.stringify(line)).not.toContain('secret');
  expect(JSON.stringify(line).length).toBeLessThan(8_000);
});

test('writes a hundred lines of each kind per minute, then the number omitted', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, lines } = makeLog();
  for (let n = 0; n < 350; n += 1) log.error({ n }, 'failed');
  for (let n = 0; n < 3; n += 1) log.error({ n }, 'another one');
  expect(lines).toHaveLength(103);

  vi.advanceTimersByTime(60_000);
  expect(lines.slice(103)).toMatchObject([
    { level: 'warn', msg: 'repeated lines omitted', omitted: 250, line: '50 failed ' },
  ]);
  log.error('failed');
  expect(lines.at(-1)).toMatchObject({ msg: 'failed' });
});

test('does not sample debug lines', () => {
  const { log, lines } = makeLog();
  for (let n = 0; n < 150; n += 1) log.debug('step');
  expect(lines).toHaveLength(150);
});

test.each([
  ['missing pages', 'GET', () => `/${long.slice(0, 15_000)}`],
  ['missing endpoints', 'GET', () => `/api/${long.slice(0, 15_000)}`],
  ['refused changes', 'POST', () => `/api/${long.slice(0, 15_000)}`],
  ['a different page each time', 'GET', (n: number) => `/${n}/${long.slice(0, 15_000)}`],
])('a thousand long requests for %s log at most 100 kB', async (_what, method, pathOf) => {
  await using testApp = await makeTestApp();
  const { log, lines } = makeLog('info');
  const app = createApp({ ...testApp.deps, log });
  for (let n = 0; n < 1_000; n += 1) await app.request(pathOf(n), { method });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.reduce((bytes, line) => bytes + JSON.stringify(line).length, 0)).toBeLessThan(
    100_000,
  );
});
