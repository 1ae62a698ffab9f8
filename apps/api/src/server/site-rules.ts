import { basename } from 'node:path';
import mime from 'mime/lite';
import { type ResponseKind, securityHeaders } from './security-headers.ts';

/**
 * How public files are served: by the listener of this server, and by other web servers, whose
 * configuration `site export` generates from the same rules.
 */

/** The page for paths without a page, with status 404. Its own path is treated like one of them. */
export const notFoundPath = '/404';

/** Compressed siblings next to a file, in order of preference. They have no URLs of their own. */
export const siblingEndings = { br: '.br', gzip: '.gz' } as const;

export const isSibling = (name: string): boolean =>
  Object.values(siblingEndings).some((ending) => name.endsWith(ending));

/** Headers for the files that match all conditions. */
interface HeaderRule {
  /** Relative to the site's folder. Default: any. */
  folder?: string;
  /** Without the dot. Default: any. */
  endings?: readonly string[];
  kind?: ResponseKind;
  headers?: Readonly<Record<string, string>>;
}

/** If several rules match, later ones override the headers of earlier ones. */
export const headerRules: readonly HeaderRule[] = [
  { kind: 'data', headers: { 'Cache-Control': 'no-cache' } },
  { endings: ['html'], kind: 'page' },
  { endings: ['avif', 'gif', 'ico', 'jpg', 'png', 'svg', 'webp'], kind: 'image' },
  // Search engines should list the page instead.
  { endings: ['md'], headers: { 'X-Robots-Tag': 'noindex' } },
  // Names contain a hash of the content.
  { folder: '_astro', headers: { 'Cache-Control': 'public, max-age=31536000, immutable' } },
];

export const headersOfRule = (
  { kind, headers }: HeaderRule,
  isHttps: boolean,
): Record<string, string> => ({ ...(kind && securityHeaders(kind, isHttps)), ...headers });

/** All headers except Content-Type and those of the encoding. */
export const headersOf = (name: string, isHttps: boolean): Record<string, string> =>
  Object.assign(
    {},
    ...headerRules
      .filter((rule) => matches(rule, name))
      .map((rule) => headersOfRule(rule, isHttps)),
  );

const matches = ({ folder, endings }: HeaderRule, name: string): boolean =>
  (folder === undefined || name.startsWith(`${folder}/`)) &&
  (endings === undefined || endings.some((ending) => name.endsWith(`.${ending}`)));

/** By file name. Feeds share their endings with other files; mime/lite has no vendor types. */
export const specialTypes: Readonly<Record<string, string>> = {
  'rss.xml': 'application/rss+xml',
  'atom.xml': 'application/atom+xml',
  'feed.json': 'application/feed+json',
  'favicon.ico': 'image/x-icon',
};

export function contentTypeOf(name: string): string {
  const type = specialTypes[basename(name)] ?? mime.getType(name);
  if (type === null) return 'application/octet-stream';
  return /^text\/|\/(?:javascript|json|xml)$|\+(?:json|xml)$/.test(type)
    ? `${type}; charset=utf-8`
    : type;
}

/** Endings and content types of the files that a site can contain. */
export const publishedTypes: readonly (readonly [ending: string, type: string])[] = [
  ...['avif', 'css', 'gif', 'html', 'jpg', 'js', 'json', 'md', 'pdf', 'png', 'svg', 'txt'],
  ...['webmanifest', 'webp', 'woff2', 'xml'],
]
  .map((ending) => [ending, contentTypeOf(`file.${ending}`)] as const)
  .concat([['ico', contentTypeOf('favicon.ico')]]);

/**
 * The URL path of a page: /about for /about/ and /about.html, which redirect to it with a 308.
 * Returns paths unchanged that start with two slashes or none (RFC 9112 §3.2.2), because they could
 * make open redirects.
 */
export function canonicalPath(path: string): string {
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) return path;
  // `/\/+$/` takes quadratic time.
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const bare = path.slice(0, end).replace(/\.html$/, '');
  if (bare === '' || bare === '/index') return '/';
  return bare;
}
