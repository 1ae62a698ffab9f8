import { promisify } from 'node:util';
import zlib from 'node:zlib';
import fresh from 'fresh';
import type { AppContext } from './context.ts';
import { chooseEncoding } from './encoding.ts';
import { representationsOf, type SiteFile } from './site-files.ts';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** A body that is the same for every request. */
export type SharedBody = Pick<SiteFile, 'contentType' | 'representations'>;

/** Compresses in the thread pool of Node, so that no request waits for it. */
async function createSharedBody(contentType: string, content: string | Uint8Array) {
  const bytes = Buffer.from(content);
  const params = {
    [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
    [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), gzip(bytes)]);
  const { representations } = representationsOf(bytes, { br, gzip: gz });
  return { contentType, representations };
}

/**
 * A handler that creates its body with the first request. If that fails, the next request tries
 * again.
 * @param headers replace those of `answerWith`
 */
export function sharedBody(
  contentType: string,
  create: (c: AppContext) => string | Uint8Array | Promise<string | Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
) {
  let body: Promise<SharedBody> | undefined;
  return async (c: AppContext): Promise<Response> => {
    body ??= Promise.resolve(c)
      .then(create)
      .then((content) => createSharedBody(contentType, content));
    try {
      return answerWith(c, await body, headers);
    } catch (error) {
      body = undefined;
      throw error;
    }
  };
}

/** Answers with the status of the context, or with 304 (RFC 9110 §13). */
export function answerWith(
  c: AppContext,
  shared: SharedBody,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const encoding = chooseEncoding(c.req.header('Accept-Encoding'), shared);
  const { body, etag } = shared.representations[encoding] ?? shared.representations.identity;
  const described = {
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': 'no-cache',
    ...headers,
  };
  // Conditions apply only to what would be a success. Hono shows the status only in responses.
  if (isFresh(c, etag) && c.body(null).status === 200) return c.body(null, 304, described);
  return c.body(body, undefined, {
    'Content-Type': shared.contentType,
    'Content-Length': String(body.length),
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    ...described,
  });
}

/** Whether the client has the version with this ETag. */
export const isFresh = (c: AppContext, etag: string): boolean =>
  fresh(
    {
      'if-none-match': c.req.header('If-None-Match'),
      'cache-control': c.req.header('Cache-Control'),
    },
    { etag },
  );
