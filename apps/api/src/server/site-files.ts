import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { isCompressible } from './compressible.ts';
import { createRepresentations, type Representations } from './representations.ts';
import { contentTypeOf, notFoundPath } from './site-rules.ts';

export interface SiteFile {
  /** Relative to the site's folder: about.html */
  name: string;
  contentType: string;
  representations: Representations;
}

/** A few thousand pages. */
const maxCacheBytes = 64 * 1024 * 1024;

interface CachedFile {
  file: SiteFile;
  /** Of all representations. */
  bytes: number;
}

export type SiteFiles = ReturnType<typeof createSiteFiles>;

/**
 * The published files below `root`, by URL path, with an LRU cache. Text is compressed when it is
 * first asked for. The publisher invalidates changed files.
 * @param maxBytes of the cache
 */
export function createSiteFiles(root: string, maxBytes: number = maxCacheBytes) {
  const cache = new LRUCache<string, CachedFile>({
    maxSize: maxBytes,
    // LRUCache requires positive sizes, but a file can be empty.
    sizeCalculation: ({ bytes }) => Math.max(bytes, 1),
  });
  const loading = new Map<string, Promise<SiteFile | null>>();
  let changes = 0;
  let isHidden: (path: string) => boolean = () => false;

  async function read(path: string): Promise<SiteFile | null> {
    const changesBefore = changes;
    const name = fileOf(path);
    if (name === null || isHidden(pathOf(name))) return null;
    const bytes = await readIfExists(join(root, name));
    if (!bytes) return null;
    const file = toSiteFile(path, name, bytes);
    // A file that was read during a change may be outdated: it is returned but not cached.
    // Percent-encoded paths (/%62log) are not cached, because the publisher would not invalidate
    // them.
    if (changes === changesBefore && !path.includes('%')) keep(path, file);
    return file;
  }

  const keep = (path: string, file: SiteFile): void =>
    void cache.set(path, { file, bytes: file.representations.identity.body.length });

  function toSiteFile(path: string, name: string, bytes: NonSharedBuffer): SiteFile {
    const grew = (more: number): void => {
      const cached = cache.get(path);
      // A new entry, because the cache does not see that an entry grows.
      if (cached?.file === file) cache.set(path, { file, bytes: cached.bytes + more });
    };
    const representations = createRepresentations(bytes, isCompressible(name), grew);
    const file = { name, contentType: contentTypeOf(name), representations };
    return file;
  }

  return {
    cached: (path: string): SiteFile | undefined => cache.get(path)?.file,

    /** @param path still percent-encoded */
    async load(path: string): Promise<SiteFile | null> {
      const cached = cache.get(path);
      if (cached) return cached.file;
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

    /** For a page that was just written: whoever reads it now does not wait for the disk. */
    replace(path: string, bytes: NonSharedBuffer): void {
      const name = fileOf(path);
      const isRead = name !== null && cache.has(path) && !isHidden(path);
      changes += 1;
      loading.clear();
      cache.delete(path);
      if (isRead) keep(path, toSiteFile(path, name, bytes));
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
