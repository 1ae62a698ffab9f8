import { expect, test } from 'vitest';
import { previousPage } from './previous-page.ts';

const publicUrl = 'https://fieldlight.example';

test.each([
  ['/', '/'],
  ['/blog/how-to', '/blog/how-to'],
  ['/auth?email=a%40b.example', '/auth?email=a%40b.example'],
  ['/contact#sent', '/contact'],
  ['/a b?"<', '/a%20b?%22%3C'],
])('returns the path of %s: %s', (path, expected) => {
  expect(previousPage(publicUrl + path, publicUrl)).toBe(expected);
});

test.each([
  undefined,
  '',
  'nonsense',
  '/contact',
  'null',
  'about:blank',
  'https://evil.example/contact',
  'http://fieldlight.example/contact',
  'https://fieldlight.example:8443/contact',
  'https://fieldlight.example.evil.example/contact',
  'https://fieldlight.example@evil.example/contact',
  'javascript:alert(1)',
])('returns the home page for %j', (referer) => {
  expect(previousPage(referer, publicUrl)).toBe('/');
});

test.each(['//evil.example', '/\\evil.example', '\\\\evil.example', '/.//evil.example'])(
  'the path %s does not lead to another host',
  (path) => {
    const page = previousPage(publicUrl + path, publicUrl);
    expect(new URL(page, publicUrl).origin).toBe(publicUrl);
  },
);
