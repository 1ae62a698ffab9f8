import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Encoding } from './encoding.ts';
import { createSiteFiles, fileOf, type SiteFiles } from './site-files.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'files-'));
  return () => rmSync(root, { recursive: true });
});

function put(name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

const bodyOf = async (files: SiteFiles, path: string): Promise<string | undefined> =>
  (await files.load(path))?.representations.identity.body.toString();

describe('fileOf', () => {
  test.each([
    ['/', 'index.html'],
    ['/about', 'about.html'],
    ['/blog/first', 'blog/first.html'],
    ['/blog/rss.xml', 'blog/rss.xml'],
    ['/_astro/app.Bq3x.js', '_astro/app.Bq3x.js'],
    ['/.well-known/security.txt', '.well-known/security.txt'],
    ['/a%20file.pdf', 'a file.pdf'],
    ['/caf%C3%A9', 'café.html'],
  ])('%s is %s', (path, name) => {
    expect(fileOf(path)).toBe(name);
  });

  test.each([
    // Path traversal.
    '/../site.db',
    '/..',
    '/blog/../../site.db',
    '/%2e%2e/site.db',
    '/%2E%2E%2Fsite.db',
    '/..%2f..%2fetc%2fpasswd',
    '/..%5c..%5csite.db',
    '/..\\site.db',
    '/blog/./first',
    // Dot files.
    '/.env',
    '/.new-blog.html',
    '/blog/.new-first',
    '/%2eenv',
    '/.well-known/.env',
    // Non-canonical paths.
    '/about.html',
    '/index.html',
    '/about.html.br',
    '/app.js.gz',
    '/about/',
    '//about',
    '/blog//first',
    'about',
    '',
    // Invalid paths.
    '/%',
    '/%zz',
    '/%c0%ae%c0%ae/site.db',
    '/about%00.png',
    'http://evil.example/about',
  ])('rejects the path %j', (path) => {
    expect(fileOf(path)).toBeNull();
  });
});

describe('a loaded file', () => {
  test('has every encoding with its own ETag', async () => {
    put('blog.html', '<p>Blog</p>');
    const file = await createSiteFiles(root).load('/blog');
    expect(file?.representations.hash).toBe(
      createHash('sha256').update('<p>Blog</p>').digest('hex'),
    );
    const load = (encoding: Encoding) => file?.representations.load(encoding);
    const [identity, br, gzip] = await Promise.all([load('identity'), load('br'), load('gzip')]);
    const decoded = [
      identity?.body,
      brotliDecompressSync(br?.body ?? ''),
      gunzipSync(gzip?.body ?? ''),
    ];
    expect(decoded.map(String)).toEqual(Array(3).fill('<p>Blog</p>'));
    const tags = [identity, br, gzip].map((each) => each?.etag);
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });

  test.each([
    ['blog.html', '/blog', 'text/html; charset=utf-8'],
    ['sitemap.xml', '/sitemap.xml', 'application/xml; charset=utf-8'],
    ['blog/rss.xml', '/blog/rss.xml', 'application/rss+xml; charset=utf-8'],
    ['blog/atom.xml', '/blog/atom.xml', 'application/atom+xml; charset=utf-8'],
    ['blog/feed.json', '/blog/feed.json', 'application/feed+json; charset=utf-8'],
    ['_astro/a.js', '/_astro/a.js', 'text/javascript; charset=utf-8'],
    ['_astro/a.woff2', '/_astro/a.woff2', 'font/woff2'],
    ['favicon.svg', '/favicon.svg', 'image/svg+xml; charset=utf-8'],
    ['a.webmanifest', '/a.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['file.unheard-of', '/file.unheard-of', 'application/octet-stream'],
  ])('%s at %s has the content type %s', async (name, path, contentType) => {
    put(name, 'content');
    expect(await createSiteFiles(root).load(path)).toMatchObject({ name, contentType });
  });

  test('is null for missing files and folders', async () => {
    mkdirSync(join(root, 'blog.html'));
    put('file.txt', '');
    const files = createSiteFiles(root);
    for (const path of ['/gone', '/blog', '/file.txt/below', `/${'x'.repeat(300)}`]) {
      expect(await files.load(path), path).toBeNull();
    }
  });
});

describe('the cache', () => {
  test('serves a file until it is invalidated', async () => {
    put('blog.html', 'old');
    put('about.html', 'old');
    const files = createSiteFiles(root);
    expect(files.cached('/blog')).toBeUndefined();
    await files.load('/blog');
    await files.load('/about');
    put('blog.html', 'new');
    put('about.html', 'new');
    expect(await bodyOf(files, '/blog')).toBe('old');

    files.invalidate(['/blog']);
    expect(await bodyOf(files, '/blog')).toBe('new');
    expect(await bodyOf(files, '/about')).toBe('old');
    files.invalidateAll();
    expect(await bodyOf(files, '/about')).toBe('new');
  });

  test('does not cache percent-encoded paths', async () => {
    put('blog.html', 'old');
    const files = createSiteFiles(root);
    expect(await bodyOf(files, '/%62log')).toBe('old');
    put('blog.html', 'new');
    files.invalidate(['/blog']);
    expect(await bodyOf(files, '/%62log')).toBe('new');
  });

  test('neither caches nor shares a read that overlaps a change', async () => {
    const files = createSiteFiles(root);
    // Reading a named pipe blocks until it is written.
    const pipe = join(root, 'blog.html');
    execFileSync('mkfifo', [pipe]);
    const early = bodyOf(files, '/blog');
    const writer = await open(pipe, 'w');

    rmSync(pipe);
    put('blog.html', 'new');
    files.invalidate(['/blog']);
    expect(await bodyOf(files, '/blog')).toBe('new');
    await writer.write('old');
    await writer.close();

    expect(await early).toBe('old');
    expect(await bodyOf(files, '/blog')).toBe('new');
    files.invalidate(['/blog']);
    expect(files.size()).toBe(0);
  });

  test('does not cache a read that ends after a change', async () => {
    put('blog.html', 'old');
    const files = createSiteFiles(root);
    const early = files.load('/blog');
    files.invalidate(['/blog']);
    await early;
    expect(files.cached('/blog')).toBeUndefined();
  });

  test('reads a file once for concurrent requests', async () => {
    put('blog.html', 'old');
    const files = createSiteFiles(root);
    const [first, second] = await Promise.all([files.load('/blog'), files.load('/blog')]);
    expect(first).toBe(second);
  });

  test('evicts the least recently used files above its limit', async () => {
    for (const name of ['a', 'b', 'c', 'd']) put(`${name}.html`, name.repeat(100));
    const files = createSiteFiles(root, 300);
    for (const path of ['/a', '/b', '/c']) await files.load(path);
    expect(files.size()).toBe(300);
    files.cached('/a');
    await files.load('/d');
    expect(files.size()).toBe(300);
    const cached = ['/a', '/b', '/c', '/d'].filter((path) => files.cached(path));
    expect(cached).toEqual(['/a', '/c', '/d']);
  });

  test('counts compressed representations, and subtracts evicted files', async () => {
    put('a.html', 'x'.repeat(100));
    const files = createSiteFiles(root);
    const file = await files.load('/a');
    expect(files.size()).toBe(100);
    const bodies = await Promise.all(
      (['br', 'br', 'gzip'] as const).map((encoding) => file?.representations.load(encoding)),
    );
    expect(bodies[0]).toBe(bodies[1]);
    const [, br, gzip] = bodies.map((each) => each?.body.length ?? 0);
    expect(files.size()).toBe(100 + (br ?? 0) + (gzip ?? 0));
    expect(await files.load('/a')).toBe(file);
    files.invalidate(['/a']);
    expect(files.size()).toBe(0);
  });

  test('does not cache a representation of a file that has changed meanwhile', async () => {
    put('a.html', 'old');
    const files = createSiteFiles(root);
    const old = await files.load('/a');
    files.invalidate(['/a']);
    put('a.html', 'new');
    const file = await files.load('/a');
    await old?.representations.load('br');
    expect(files.size()).toBe(3);
    expect(files.cached('/a')).toBe(file);
  });

  test('serves a file larger than its limit', async () => {
    put('a.html', 'x'.repeat(1_000));
    put('b.html', 'x');
    const files = createSiteFiles(root, 300);
    expect(await bodyOf(files, '/a')).toHaveLength(1_000);
    await files.load('/b');
    expect(files.size()).toBe(1);
  });
});

test('a page that readers had is cached with its new bytes, and others only when they are read', async () => {
  const files = createSiteFiles(root);
  files.replace('/unread', Buffer.from('new'));
  expect(files.cached('/unread')).toBeUndefined();
  put('read.html', 'old');
  expect(await bodyOf(files, '/read')).toBe('old');
  put('read.html', 'new');
  files.replace('/read', Buffer.from('new'));
  expect(files.cached('/read')?.representations.identity.body.toString()).toBe('new');
  expect(await bodyOf(files, '/read')).toBe('new');
  files.hide((path) => path === '/read');
  files.replace('/read', Buffer.from('of a static host'));
  expect(files.cached('/read')).toBeUndefined();
});
