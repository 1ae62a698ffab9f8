import { maxText } from '@app/contract/client-errors/limits';
import { expect, test } from 'vitest';
import { cleanReport } from './clean-report.ts';

const clean = (message: string, stack = '') => cleanReport({ kind: 'error', message, stack });

test.each([
  ["TypeError: Cannot read properties of undefined (reading 'name')"],
  ['RangeError: Maximum call stack size exceeded'],
])('keeps %s', (message) => {
  expect(clean(message).message).toBe(message);
});

test.each([
  // Typed text.
  [
    'SyntaxError: Unexpected token \'V\', "Vera Vogel" is not valid JSON',
    'SyntaxError: Unexpected token \'V\', "…" is not valid JSON',
  ],
  ['SyntaxError: JSON Parse error: "Vera is not closed', 'SyntaxError: JSON Parse error: "…"'],
  ['Invalid address vera@example.com!', 'Invalid address …'],
  ['Invalid phone +49 1512 3456789', 'Invalid phone +49 … …'],
  // URLs.
  [
    'Failed to fetch https://example.com/auth/reset?token=abc#x now',
    'Failed to fetch https://example.com/auth/reset now',
  ],
  [
    "Failed to load 'https://example.com/blog/draft/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-abcde'",
    'Failed to load https://example.com/blog/draft/…',
  ],
  ['img-src http://user:secret@evil.example/a.png?id=1', 'img-src http://evil.example/a.png'],
  ['Not a URL: https://[', 'Not a URL: …'],
])('%s is logged as %s', (message, expected) => {
  expect(clean(message).message).toBe(expected);
});

test.each([
  // Chromium, Firefox, and the source of a violation.
  [
    'TypeError: x\n    at f (https://example.com/_astro/form.Bq3x.js:1:200)\n    at g (https://example.com/_astro/react.js:2:3)',
    '/_astro/form.Bq3x.js:1:200',
  ],
  ['f@https://example.com/_astro/form.Bq3x.js:1:200\n', '/_astro/form.Bq3x.js:1:200'],
  [
    'TypeError: https://example.com/contact\n    at f (https://example.com/_astro/form.Bq3x.js:1:200)',
    '/_astro/form.Bq3x.js:1:200',
  ],
  ['https://example.com/contact:12', '/contact:12'],
  ['    at https://example.com/auth/confirm?token=abc:10:5', '/auth/confirm:10:5'],
  [
    'at https://example.com/blog/draft/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-abcde:3:4',
    '/blog/draft/…:3:4',
  ],
  ['', ''],
  ['no frames', ''],
  ['https://[:1:1', ''],
])('the first frame of %j is %j', (stack, frame) => {
  expect(clean('x', stack).frame).toBe(frame);
});

test('takes linear time for hostile texts', () => {
  for (const part of ['"', '@', 'https://', '(', ':1', ' ', '1', '\\"']) {
    const message = part.repeat(maxText).slice(0, maxText);
    expect(clean(message, message).message.length).toBeLessThanOrEqual(2 * maxText);
  }
});
