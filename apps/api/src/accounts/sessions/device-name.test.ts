import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Microsoft Edge on macOS',
  ],
])('recognizes %s as %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.each([undefined, '', '???', '\u0000', '<script>alert(1)</script>'])(
  'returns an empty name for %j',
  (userAgent) => {
    expect(deviceName(userAgent)).toBe('');
  },
);

test('truncates long headers', () => {
  expect(deviceName(`Firefox/${'9'.repeat(16_000)}`).length).toBeLessThan(100);
  expect(deviceName('x'.repeat(16_000))).toBe('');
});
