import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { speculationRules } from './speculation-rules.ts';

const [rule] = speculationRules.prerender;
const base = 'https://site.example/about';
const matches = (url: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => new URLPattern(pattern, base).test(new URL(url, base)));

/** Decides like a browser (HTML, "Speculative loading", document rules). */
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

const pages = fileURLToPath(new URL('../src/pages', import.meta.url));

/** Unlisted pages that can be prerendered: search is not personal, nothing links to the others. */
const forEveryone = ['blog/search', '404', 'unreceived-form'];

const unlistedPages = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.astro'))
  .filter(
    (name) =>
      name.includes('[token]') ||
      /^export const unlisted = true;$/m.test(readFileSync(join(pages, name), 'utf8')),
  )
  .map((name) => name.replace(/(?:\/index)?\.astro$/, ''))
  .filter((path) => !forEveryone.includes(path));

test.each(unlistedPages)('does not prerender the unlisted page %s', (path) => {
  expect(isPrerendered(`/${path}`)).toBe(false);
});
