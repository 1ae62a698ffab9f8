import { expect, test } from 'vitest';
import { pageBefore } from './previous-page.ts';

const publicUrl = 'https://fieldlight.example';

test.each([
  ['/', '/'],
  ['/blog/how-to', '/blog/how-to'],
  ['/auth?email=a%40b.example', '/auth?email=a%40b.example'],
  ['/contact#sent', '/contact'],
  ['/a b?"<', '/a%20b?%22%3C'],
])('%s of ours is %s', (path, expected) => {
  expect(pageBefore(publicUrl + path, publicUrl)).toBe(expected);
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
])('%j is no page of ours', (referer) => {
  expect(pageBefore(referer, publicUrl)).toBe('/');
});

test.each(['//evil.example', '/\\evil.example', '\\\\evil.example', '/.//evil.example'])(
  'the path %s leads to no other host',
  (path) => {
    const page = pageBefore(publicUrl + path, publicUrl);
    expect(new URL(page, publicUrl).origin).toBe(publicUrl);
  },
);
