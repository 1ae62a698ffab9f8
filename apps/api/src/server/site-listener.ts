import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { chooseEncoding, type Encoding } from './encoding.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Representation } from './representations.ts';
import { securityHeaders } from './security-headers.ts';
import type { SiteFile, SiteFiles } from './site-files.ts';
import { canonicalPath, headersOf, notFoundPath } from './site-rules.ts';

interface Behind {
  /** Answers everything else. */
  app: RequestListener;
  metrics: Pick<Metrics, 'countFile'>;
}

/** Runs before the app's middleware, so that a cached page takes two header lookups and a write. */
export function createSiteListener(
  files: SiteFiles,
  isHttps: boolean,
  { app, metrics }: Behind,
): RequestListener {
  const send = createSender(isHttps, metrics);
  const dataHeaders = securityHeaders('data', isHttps);
  return (request, response) => {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return app(request, response);
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (path.startsWith('/api/') || path === notFoundPath) return app(request, response);

    const file = files.cached(path);
    if (file) return send(request, response, file);

    const canonical = canonicalPath(path);
    if (canonical !== path) {
      const location = query === -1 ? canonical : canonical + url.slice(query);
      metrics.countFile('identity', 308);
      response.writeHead(308, { ...dataHeaders, Location: location, 'Content-Length': 0 }).end();
      return;
    }
    files.load(path).then(
      (found) => (found ? send(request, response, found) : app(request, response)),
      // The app logs the error.
      () => app(request, response),
    );
  };
}

function createSender(isHttps: boolean, metrics: Behind['metrics']) {
  const headersOfRepresentation = new WeakMap<Representation, string[]>();

  const prepare = (
    { name, contentType }: SiteFile,
    encoding: Encoding,
    { etag }: Representation,
  ): string[] =>
    Object.entries({
      'Content-Type': contentType,
      ETag: etag,
      Vary: 'Accept-Encoding',
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      ...headersOf(name, isHttps),
      ...(!name.endsWith('.html') && { 'Accept-Ranges': 'bytes' }),
    }).flat();

  return (request: IncomingMessage, response: ServerResponse, file: SiteFile): void => {
    const { headers } = request;
    // Ranges are for GET only (RFC 9110 §14.2), and count uncompressed bytes.
    const range = request.method === 'GET' ? headers.range : undefined;
    const encoding =
      range === undefined
        ? chooseEncoding(headers['accept-encoding'], file.representations)
        : 'identity';
    const ready = file.representations.cached(encoding);
    if (ready) {
      respond(request, response, file, encoding, ready);
      return;
    }
    file.representations.load(encoding).then(
      (compressed) => respond(request, response, file, encoding, compressed),
      // Out of memory. The uncompressed file is still there.
      () => respond(request, response, file, 'identity', file.representations.identity),
    );
  };

  function respond(
    { headers, method, httpVersionMinor }: IncomingMessage,
    response: ServerResponse,
    file: SiteFile,
    encoding: Encoding,
    chosen: Representation,
  ): void {
    const range = method === 'GET' ? headers.range : undefined;
    let lines = headersOfRepresentation.get(chosen);
    if (!lines) {
      lines = prepare(file, encoding, chosen);
      headersOfRepresentation.set(chosen, lines);
    }

    // Keep-alive is the default of HTTP/1.1 (RFC 9112 §9.3). Saves bytes in the first round trip.
    const isKeptOpen = response.shouldKeepAlive && !response.hasHeader('Connection');
    if (isKeptOpen && httpVersionMinor === 1) {
      response.removeHeader('Connection');
    }

    if (fresh(headers, { etag: chosen.etag })) {
      metrics.countFile(encoding, 304);
      response.writeHead(304, lines).end();
      return;
    }
    const isWanted = headers['if-range'] === undefined || headers['if-range'] === chosen.etag;
    if (range !== undefined && isWanted) {
      sendRange(response, range, lines, chosen.body);
      metrics.countFile('identity', response.statusCode);
      return;
    }
    metrics.countFile(encoding, 200);
    response.writeHead(200, [...lines, 'Content-Length', String(chosen.body.length)]);
    response.end(method === 'HEAD' ? undefined : chosen.body);
  }
}

/** A single range (RFC 9110 §14). Anything else gets the whole file. */
function sendRange(response: ServerResponse, header: string, lines: string[], body: Buffer): void {
  const ranges = parseRange(body.length, header);
  if (ranges === -1) {
    const contentRange = `bytes */${body.length}`;
    response.writeHead(416, [...lines, 'Content-Range', contentRange, 'Content-Length', '0']).end();
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
