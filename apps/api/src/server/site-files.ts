import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { isCompressible } from './compressible.ts';
import { contentTypeOf, notFoundPath, siblingEndings } from './site-rules.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

export interface Representation {
  body: NonSharedBuffer;
  etag: string;
}

export interface SiteFile {
  /** Relative to the site's folder: about.html */
  name: string;
  contentType: string;
  /** SHA-256 (hex) of the uncompressed bytes. */
  hash: string;
  representations: { identity: Representation } & Partial<Record<Encoding, Representation>>;
}

/** A few thousand pages. */
const maxCacheBytes = 64 * 1024 * 1024;

export type SiteFiles = ReturnType<typeof createSiteFiles>;

/**
 * The published files below `root`, by URL path, with an LRU cache. The publisher invalidates
 * changed files.
 * @param maxBytes of the cache
 */
export function createSiteFiles(root: string, maxBytes: number = maxCacheBytes) {
  const cache = new LRUCache<string, SiteFile>({
    maxSize: maxBytes,
    // LRUCache requires positive sizes, but a file can be empty.
    sizeCalculation: (file) => Math.max(sizeOf(file), 1),
  });
  const loading = new Map<string, Promise<SiteFile | null>>();
  let changes = 0;
  let isHidden: (path: string) => boolean = () => false;

  async function read(path: string): Promise<SiteFile | null> {
    const changesBefore = changes;
    const name = fileOf(path);
    if (name === null || isHidden(pathOf(name))) return null;
    const file = await readSiteFile(root, name);
    // A file that was read during a change may be outdated: it is returned but not cached.
    // Percent-encoded paths (/%62log) are not cached, because the publisher would not invalidate
    // them.
    if (file && changes === changesBefore && !path.includes('%')) cache.set(path, file);
    return file;
  }

  return {
    cached: (path: string): SiteFile | undefined => cache.get(path),

    /** @param path still percent-encoded */
    async load(path: string): Promise<SiteFile | null> {
      const file = cache.get(path);
      if (file) return file;
      let reading = loading.get(path);
      if (!reading) {
        reading = read(path).finally(() => {
          if (loading.get(path) === reading) loading.delete(path);
        });
        loading.set(path, reading);
      }
      return reading;
    },

    invalidate(paths: Iterable<string>): void {
      changes += 1;
      loading.clear();
      for (const path of paths) cache.delete(path);
    },

    invalidateAll(): void {
      changes += 1;
      loading.clear();
      cache.clear();
    },

    /** Hides files that only static hosts need: the app handles their paths. */
    hide(isHiddenPath: (path: string) => boolean): void {
      isHidden = isHiddenPath;
    },

    /** Cached bytes. */
    size: (): number => cache.calculatedSize,
  };
}

/** A path without dot files, empty segments and backslashes. */
const plainPath = /^(?:\/(?:[^./\\\0][^/\\\0]*|\.well-known))+$/;

/**
 * The file of a URL path: / is index.html, /about is about.html, /favicon.svg is favicon.svg. Null
 * for dot files, path traversal and non-canonical paths.
 */
export function fileOf(path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (decoded === '/') return 'index.html';
  if (decoded === notFoundPath && path !== decoded) return null;
  if (!plainPath.test(decoded)) return null;
  const ending = extname(decoded);
  if (ending === '.html' || ending === '.br' || ending === '.gz') return null;
  const name = decoded.slice(1);
  return ending === '' ? `${name}.html` : name;
}

/** The inverse of `fileOf`: blog/feed.xml is /blog/feed.xml, blog.html is /blog. */
export function pathOf(name: string): string {
  if (name === 'index.html') return '/';
  const page = name.endsWith('.html') ? name.slice(0, -'.html'.length) : name;
  return page === name || !page.includes('.') ? `/${page}` : `/${name}`;
}

async function readSiteFile(root: string, name: string): Promise<SiteFile | null> {
  const file = join(root, name);
  const identity = await readIfExists(file);
  if (!identity) return null;
  const [br, gzip] = isCompressible(name)
    ? await Promise.all([
        readIfExists(file + siblingEndings.br),
        readIfExists(file + siblingEndings.gzip),
      ])
    : [null, null];

  return {
    name,
    contentType: contentTypeOf(name),
    ...representationsOf(identity, { br, gzip }),
  };
}

/** The bytes in each encoding, with their ETags. */
export function representationsOf(
  identity: NonSharedBuffer,
  { br, gzip }: Partial<Record<'br' | 'gzip', NonSharedBuffer | null>>,
): Pick<SiteFile, 'hash' | 'representations'> {
  const digest = createHash('sha256').update(identity).digest();
  // Half a hash is unique enough, and keeps headers short.
  const tag = digest.toString('base64url', 0, 16);
  const represent = (body: NonSharedBuffer, mark: string): Representation => ({
    body,
    etag: `"${tag}${mark}"`,
  });
  return {
    hash: digest.toString('hex'),
    representations: {
      identity: represent(identity, ''),
      ...(br && { br: represent(br, '-br') }),
      ...(gzip && { gzip: represent(gzip, '-gz') }),
    },
  };
}

async function readIfExists(file: string): Promise<NonSharedBuffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') {
      return null;
    }
    throw error;
  }
}

const sizeOf = ({ representations }: SiteFile): number =>
  Object.values(representations).reduce((sum, { body }) => sum + body.length, 0);
