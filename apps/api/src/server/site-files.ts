import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import mime from 'mime/lite';
import { isCompressible } from './compressible.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

/** One encoding of a file, with the header lines that go with it. */
export interface Representation {
  body: Buffer;
  etag: string;
}

/** A published file as readers are served it. */
export interface SiteFile {
  contentType: string;
  /** Whether its name changes with its content, so that it may be kept for ever. */
  isImmutable: boolean;
  /** SHA-256 of the uncompressed bytes, hex. */
  hash: string;
  isPage: boolean;
  representations: { identity: Representation } & Partial<Record<Encoding, Representation>>;
}

/** What the cache may hold, in bytes of file content: some thousand pages. */
const cacheBound = 64 * 1024 * 1024;

export type SiteFiles = ReturnType<typeof createSiteFiles>;

/**
 * The published files below `root`, by the address that readers ask for. Those
 * that were asked for last stay in memory, up to a bound. The publisher says
 * which ones it changed; nobody else writes there.
 */
export function createSiteFiles(root: string, bound: number = cacheBound) {
  // A Map keeps the order of insertion: the first entry was asked for longest ago.
  const cache = new Map<string, SiteFile>();
  const loading = new Map<string, Promise<SiteFile | null>>();
  let bytes = 0;
  let changes = 0;
  let isHidden: (path: string) => boolean = () => false;

  function keep(path: string, file: SiteFile): void {
    drop(path);
    cache.set(path, file);
    bytes += weightOf(file);
    for (const [oldest] of cache) {
      if (bytes <= bound || oldest === path) break;
      drop(oldest);
    }
  }

  function drop(path: string): void {
    const file = cache.get(path);
    if (!file) return;
    cache.delete(path);
    bytes -= weightOf(file);
  }

  async function read(path: string): Promise<SiteFile | null> {
    const changesBefore = changes;
    const name = fileOf(path);
    if (name === null || isHidden(pathOf(name))) return null;
    const file = await readSiteFile(root, path, name);
    // What was read while the publisher changed files may be old: it answers this
    // one request, which came before the change, and is not kept. Nor is what was
    // asked for in another spelling (/%62log): the publisher would not know to forget it.
    if (file && changes === changesBefore && !path.includes('%')) keep(path, file);
    return file;
  }

  return {
    /** The file at an address if it is in memory. */
    cached(path: string): SiteFile | undefined {
      const file = cache.get(path);
      if (!file) return undefined;
      cache.delete(path);
      cache.set(path, file);
      return file;
    },

    /** The file at an address, as its path comes in a request; null when nothing is published there. */
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

    /** Forgets what is in memory of these addresses, because their files have changed. */
    forget(paths: Iterable<string>): void {
      changes += 1;
      loading.clear();
      for (const path of paths) drop(path);
    },

    /** Forgets everything, because the whole site has changed. */
    forgetAll(): void {
      changes += 1;
      loading.clear();
      cache.clear();
      bytes = 0;
    },

    /** Files that are there for other hosts are not served here: the app answers in their place. */
    hide(isHiddenPath: (path: string) => boolean): void {
      isHidden = isHiddenPath;
    },

    /** Bytes in memory. */
    size: (): number => bytes,
  };
}

/**
 * The file's place below the site's folder: /about is about.html, / is
 * index.html, /favicon.svg is itself. Null for what can be no file: dot files,
 * ways out of the folder, second spellings of a page.
 */
export function fileOf(path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (decoded === '/') return 'index.html';
  // The page of what is not there is no page that can be asked for in another spelling.
  if (decoded === '/404' && path !== decoded) return null;
  const segments = decoded.slice(1).split('/');
  const isPlain = segments.every(
    (name) => /^[^.\\\0][^\\\0]*$/.test(name) || name === '.well-known',
  );
  if (!isPlain || !decoded.startsWith('/')) return null;
  const ending = extname(decoded);
  if (ending === '.html' || ending === '.br' || ending === '.gz') return null;
  return ending === '' ? `${segments.join('/')}.html` : segments.join('/');
}

/** The inverse of `fileOf`: blog/feed.xml is itself, blog.html is /blog. */
export function pathOf(name: string): string {
  if (name === 'index.html') return '/';
  const page = name.replace(/\.html$/, '');
  return page === name || !page.includes('.') ? `/${page}` : `/${name}`;
}

async function readSiteFile(root: string, path: string, name: string): Promise<SiteFile | null> {
  const file = join(root, name);
  const identity = await readIfThere(file);
  if (!identity) return null;
  const [br, gzip] = isCompressible(name)
    ? await Promise.all([readIfThere(`${file}.br`), readIfThere(`${file}.gz`)])
    : [null, null];

  const digest = createHash('sha256').update(identity).digest();
  const hash = digest.toString('hex');
  // Half of the bits tell versions apart, and headers count on a slow line.
  const tag = digest.toString('base64url', 0, 16);
  const represent = (body: Buffer, mark: string): Representation => ({
    body,
    etag: `"${tag}${mark}"`,
  });
  return {
    contentType: contentTypeOf(name),
    isImmutable: path.startsWith('/_astro/'),
    hash,
    isPage: name.endsWith('.html'),
    representations: {
      identity: represent(identity, ''),
      ...(br && { br: represent(br, '-br') }),
      ...(gzip && { gzip: represent(gzip, '-gz') }),
    },
  };
}

async function readIfThere(file: string): Promise<Buffer | null> {
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

const weightOf = ({ representations }: SiteFile): number =>
  Object.values(representations).reduce((sum, { body }) => sum + body.length, 0);

function contentTypeOf(name: string): string {
  // The short list has no vendors' types.
  const type = name.endsWith('.ico') ? 'image/x-icon' : mime.getType(name);
  if (type === null) return 'application/octet-stream';
  return /^text\/|\/(?:javascript|json|xml)$|\+(?:json|xml)$/.test(type)
    ? `${type}; charset=utf-8`
    : type;
}
