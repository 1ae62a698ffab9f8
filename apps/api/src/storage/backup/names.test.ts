import { expect, test } from 'vitest';
import { backupNames } from './names.ts';

const now = Date.parse('2026-03-01T12:34:56.789Z');
const names = backupNames('https://example.com');

test('names archives by host and time in UTC', () => {
  expect(names.at(now)).toBe('example.com-2026-03-01T12-34-56.789Z.tar.gz');
  expect(names.timeOf(names.at(now))).toBe(now);
  expect(backupNames('http://[::1]:4321').at(now)).toBe('1-2026-03-01T12-34-56.789Z.tar.gz');
});

test.each([
  '',
  'site.tar.gz',
  'example.com-2026-03-01.tar.gz',
  'example.com-2026-03-01T12-34-56.789Z.tar.gz.part',
  'example.com-2026-02-30T12-34-56.789Z.tar.gz',
  'EXAMPLE.com-2026-03-01T12-34-56.789Z.tar.gz',
  'www.example.com-2026-03-01T12-34-56.789Z.tar.gz',
  'example.com-staging-2026-03-01T12-34-56.789Z.tar.gz',
  'sub/example.com-2026-03-01T12-34-56.789Z.tar.gz',
])('does not recognize %j', (name) => {
  expect(names.timeOf(name)).toBe(null);
});
