import { expect, test } from 'vitest';
import { speculationRules } from './speculation-rules.ts';

const [rule] = speculationRules.prerender;
const base = 'https://site.example/about';
const matches = (url: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => new URLPattern(pattern, base).test(new URL(url, base)));

/** As a browser decides (HTML, "Speculative loading", document rules). */
const isPrerendered = (url: string): boolean => {
  const [included, { not }] = rule.where.and;
  return matches(url, [included.href_matches]) && !matches(url, not.href_matches);
};

test.each([
  '/',
  '/services',
  '/services#betty',
  '/contact',
  '/blog',
  '/blog/a-post',
  '/blog/trash-removal',
  '/blog/archive/2025-01',
])('prerenders %s', (url) => expect(isPrerendered(url)).toBe(true));

test.each([
  '/auth',
  '/auth/forgot',
  '/profile',
  '/blog/editor',
  '/newsletter/confirm',
  '/api/auth/google',
  '/auth/confirm?token=x',
  '/blog/editor/a-post',
  '/blog/editor/a-post/history',
  '/blog/pictures',
  '/blog/trash',
  '/blog/draft/token',
  '/contact/again',
  '/contact/again/token',
  '/uploads/avatars/1/avatar.webp',
  '/blog/rss.xml',
  '/blog?drafts=true',
  'https://elsewhere.example/',
])('does not prerender %s', (url) => expect(isPrerendered(url)).toBe(false));
