import { hour } from '@app/contract/durations';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../app.ts';
import { createLog } from '../log.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { createMissingPages } from './missing-pages.ts';

function makeLog() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', {
    write(text) {
      const { time: _, ...line } = JSON.parse(text);
      lines.push(line);
    },
  });
  return { lines, log };
}

function makeMissingPages() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { lines, log } = makeLog();
  return { lines, missingPages: createMissingPages(log) };
}

const notFound = (path: string) => ({ level: 'warn', path, msg: 'page not found' });

test('logs a path once', () => {
  const { lines, missingPages } = makeMissingPages();
  for (const path of ['/old', '/old', '/other', '/old']) missingPages.note(path);
  vi.advanceTimersByTime(hour);
  missingPages.note('/old');
  expect(lines).toEqual([notFound('/old'), notFound('/other')]);
});

test('remembers 500 paths and drops the oldest', () => {
  const { lines, missingPages } = makeMissingPages();
  for (let n = 0; n < 501; n += 1) {
    if (n % 20 === 0) vi.advanceTimersByTime(60_000);
    missingPages.note(`/${n}`);
  }
  expect(lines).toHaveLength(501);
  vi.advanceTimersByTime(60_000);
  missingPages.note('/1');
  expect(lines).toHaveLength(501);
  missingPages.note('/0');
  expect(lines.at(-1)).toEqual(notFound('/0'));
});

test('truncates long paths', () => {
  const { lines, missingPages } = makeMissingPages();
  missingPages.note(`/${'x'.repeat(15_000)}`);
  missingPages.note(`/${'x'.repeat(14_000)}`);
  expect(lines).toEqual([notFound(`/${'x'.repeat(199)}`)]);
});

test('logs a missing page at warn, and its request at debug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { lines, log } = makeLog();
  const app = createApp({ ...testApp.deps, log });

  for (const path of ['/gone?token=secret', '/gone', '/blog/gone']) {
    expect((await app.request(path)).status).toBe(404);
  }
  expect((await app.request('/gone', { method: 'HEAD' })).status).toBe(404);

  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    notFound('/gone'),
    notFound('/blog/gone'),
  ]);
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(4);
  for (const line of requests) expect(line).toMatchObject({ level: 'debug', status: 404 });
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('logs a request to a missing endpoint at info', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { lines, log } = makeLog();
  await createApp({ ...testApp.deps, log }).request('/api/gone');
  expect(lines).toMatchObject([{ level: 'info', path: '/api/gone', status: 404 }]);
});
