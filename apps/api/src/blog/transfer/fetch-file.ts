import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const maxRedirects = 5;
const timeoutMilliseconds = 20_000;

interface Options {
  maxBytes: number;
  signal: AbortSignal;
  /** For tests. */
  isAllowed?: (address: string) => boolean;
}

/** Its message is shown in the report. */
export class FetchError extends Error {
  override name = 'FetchError';
}

/**
 * Downloads a file from the web. Every address is checked after it is resolved, and the connection
 * uses exactly that address, even after a redirect. So no host name can lead into the internal
 * network (OWASP, Server-Side Request Forgery Prevention).
 * @throws {FetchError}
 */
export async function fetchFile(
  url: string,
  { maxBytes, signal, isAllowed = isPublicAddress }: Options,
): Promise<Buffer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]);
  let target = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await open(target, isAllowed, limited);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return readBody(response, maxBytes);
    response.destroy();
    const next =
      statusCode >= 300 && statusCode < 400 && URL.parse(headers.location ?? '', target.href);
    if (!next) throw new FetchError(`the server answered ${statusCode}`);
    target = next;
  }
  throw new FetchError(`it redirects more than ${maxRedirects} times`);
}

async function open(
  url: URL,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError(`${url.protocol} is not allowed`);
  }
  // Without the brackets of IPv6. An address is checked here, because it is not looked up.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchError(`${host} is not a public address`);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = { Accept: 'image/*', 'Accept-Encoding': 'identity' };
  request(url, { headers, signal, agent: false, lookup: lookupAllowed(isAllowed) }, resolve)
    .on('error', (error) => reject(explained(error)))
    .end();
  return promise;
}

const lookupAllowed =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (host, _options, callback) => {
    lookup(host, { all: true }).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowed(address));
        const error = allowed.length > 0 ? null : new FetchError(`${host} has no public address`);
        callback(error, allowed);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response) {
      bytes += (part as Buffer).length;
      if (bytes > maxBytes) throw new FetchError(`it is larger than ${maxBytes / 1_048_576} MB`);
      parts.push(part as Buffer);
    }
  } catch (error) {
    throw explained(error as Error);
  }
  return Buffer.concat(parts);
}

function explained(error: NodeJS.ErrnoException): FetchError {
  if (error instanceof FetchError) return error;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return new FetchError('the server took too long');
  }
  return new FetchError(`it cannot be loaded (${error.code ?? error.message})`);
}
