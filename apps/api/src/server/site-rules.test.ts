import { describe, expect, test } from 'vitest';
import { headersOf } from './site-rules.ts';

describe('headersOf', () => {
  test.each([
    ['about.html', 'no-cache', "frame-ancestors 'none'; object-src", 'same-origin', undefined],
    ['_astro/app.Bq3x.js', 'immutable', "default-src 'none'", 'same-origin', undefined],
    ['_astro/photo.Bq3x.webp', 'immutable', 'sandbox', 'cross-origin', undefined],
    ['astro/app.js', 'no-cache', "default-src 'none'", 'same-origin', undefined],
    ['cards/0a.png', 'no-cache', 'sandbox', 'cross-origin', undefined],
    ['blog/first.md', 'no-cache', "default-src 'none'", 'same-origin', 'noindex'],
    ['blog/rss.xml', 'no-cache', "default-src 'none'", 'same-origin', undefined],
  ])('returns the headers of %s', (name, cache, policy, resource, robots) => {
    const headers = headersOf(name, true);
    expect(headers).toMatchObject({
      'Cache-Control': expect.stringContaining(cache),
      'Content-Security-Policy': expect.stringContaining(policy),
      'Cross-Origin-Resource-Policy': resource,
    });
    expect(headers['X-Robots-Tag']).toBe(robots);
  });
});
