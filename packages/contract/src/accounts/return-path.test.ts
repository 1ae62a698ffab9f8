import { describe, expect, it, test } from 'vitest';
import { findReturnPath, signInPath } from './return-path.ts';

describe('findReturnPath', () => {
  it.each([
    '/profile',
    '/profile#settings',
    '/blog/editor/my-post',
    '/blog?drafts=true',
    '/authors',
  ])('returns %s', (page) => {
    const signIn = new URL(signInPath(page), 'https://fieldlight.example');
    expect(signIn.pathname).toBe('/auth');
    expect(findReturnPath(signIn.search)).toBe(page);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'profile',
    '',
    '/api/auth/google',
    '/api',
    '/auth',
    '/auth?next=/auth',
    '/auth/forgot',
    '/@evil.example:80',
    `/${'a'.repeat(201)}`,
  ])('rejects %j', (page) => {
    expect(findReturnPath(`?${new URLSearchParams({ next: page })}`)).toBeNull();
    expect(signInPath(page)).toBe('/auth');
  });

  it('returns null without the parameter', () => {
    expect(findReturnPath('')).toBeNull();
    expect(findReturnPath('?email=ann@example.com')).toBeNull();
  });
});

test('accepts only paths that stay on this site', () => {
  const origin = 'https://fieldlight.example';
  for (const page of [
    '/.//evil.example',
    '/..//evil.example',
    '/%2F%2Fevil.example',
    '/?//evil.example',
  ]) {
    const accepted = findReturnPath(`?${new URLSearchParams({ next: page })}`);
    expect(new URL(accepted ?? '/blog', origin).origin).toBe(origin);
  }
});
