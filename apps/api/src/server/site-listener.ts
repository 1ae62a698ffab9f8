import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { chooseEncoding } from './encoding.ts';
import { pageSecurityHeaders } from './security-headers.ts';
import type { Encoding, Representation, SiteFile, SiteFiles } from './site-files.ts';

/** Not a middleware of the app, so that a cached page takes two header lookups and a write. */
export function createSiteListener(
  files: SiteFiles,
  isHttps: boolean,
  app: RequestListener,
): RequestListener {
  const send = createSender(isHttps);
  return (request, response) => {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return app(request, response);
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (path.startsWith('/api/') || path === '/404') return app(request, response);

    const file = files.cached(path);
    if (file) return send(request, response, file);

    const canonical = canonicalPath(path);
    if (canonical !== path) {
      const location = query === -1 ? canonical : canonical + url.slice(query);
      response.writeHead(308, { Location: location, 'Content-Length': 0 }).end();
      return;
    }
    files.load(path).then(
      (found) => (found ? send(request, response, found) : app(request, response)),
      // The app logs the error.
      () => app(request, response),
    );
  };
}

/** Ignores paths that start with two slashes or none (RFC 9112 §3.2.2): open redirects. */
function canonicalPath(path: string): string {
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) return path;
  // `/\/+$/` takes quadratic time.
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const bare = path.slice(0, end).replace(/\.html$/, '');
  if (bare === '' || bare === '/index') return '/';
  return bare;
}

function createSender(isHttps: boolean) {
  const security = pageSecurityHeaders(isHttps);
  const headersOf = new WeakMap<Representation, string[]>();

  const prepare = (file: SiteFile, encoding: Encoding, chosen: Representation): string[] => [
    'Content-Type',
    file.contentType,
    'ETag',
    chosen.etag,
    'Cache-Control',
    file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Vary',
    'Accept-Encoding',
    // Its page is the one to find.
    ...(file.contentType.startsWith('text/markdown') ? ['X-Robots-Tag', 'noindex'] : []),
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
    ...(file.isPage ? security : ['X-Content-Type-Options', 'nosniff', 'Accept-Ranges', 'bytes']),
  ];

  return (request: IncomingMessage, response: ServerResponse, file: SiteFile): void => {
    const { headers } = request;
    // Ranges are for GET only (RFC 9110 §14.2), and count uncompressed bytes.
    const range = request.method === 'GET' ? headers.range : undefined;
    const encoding =
      range === undefined ? chooseEncoding(headers['accept-encoding'], file) : 'identity';
    const chosen = file.representations[encoding] ?? file.representations.identity;
    let lines = headersOf.get(chosen);
    if (!lines) {
      lines = prepare(file, encoding, chosen);
      headersOf.set(chosen, lines);
    }

    // The default in HTTP/1.1 (RFC 9112 §9.3); saves bytes of the first round trip.
    const isKeptOpen = response.shouldKeepAlive && !response.hasHeader('Connection');
    if (isKeptOpen && request.httpVersionMinor === 1) {
      response.removeHeader('Connection');
    }

    if (fresh(headers, { etag: chosen.etag })) {
      response.writeHead(304, lines).end();
      return;
    }
    const isWanted = headers['if-range'] === undefined || headers['if-range'] === chosen.etag;
    if (range !== undefined && isWanted) {
      sendRange(response, range, lines, chosen.body);
      return;
    }
    response.writeHead(200, [...lines, 'Content-Length', String(chosen.body.length)]);
    response.end(request.method === 'HEAD' ? undefined : chosen.body);
  };
}

/** A single range (RFC 9110 §14). Anything else gets the whole file. */
function sendRange(response: ServerResponse, header: string, lines: string[], body: Buffer): void {
  const ranges = parseRange(body.length, header);
  if (ranges === -1) {
    response.writeHead(416, { 'Content-Range': `bytes */${body.length}`, 'Content-Length': 0 });
    response.end();
    return;
  }
  const [range, ...others] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges;
  if (!range || others.length > 0) {
    response.writeHead(200, [...lines, 'Content-Length', String(body.length)]).end(body);
    return;
  }
  const part = body.subarray(range.start, range.end + 1);
  const contentRange = `bytes ${range.start}-${range.end}/${body.length}`;
  response.writeHead(206, [
    ...lines,
    'Content-Length',
    String(part.length),
    'Content-Range',
    contentRange,
  ]);
  response.end(part);
}
