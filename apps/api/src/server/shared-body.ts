import fresh from 'fresh';
import type { AppContext } from './context.ts';
import { chooseEncoding } from './encoding.ts';
import { createRepresentations } from './representations.ts';
import type { SiteFile } from './site-files.ts';

/** A body that is the same for every request. */
export type SharedBody = Pick<SiteFile, 'contentType' | 'representations'>;

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
      .then((content) => ({
        contentType,
        representations: createRepresentations(Buffer.from(content), true),
      }));
    try {
      return await answerWith(c, await body, headers);
    } catch (error) {
      body = undefined;
      throw error;
    }
  };
}

/** Answers with the status of the context, or with 304 (RFC 9110 §13). */
export async function answerWith(
  c: AppContext,
  { contentType, representations }: SharedBody,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const encoding = chooseEncoding(c.req.header('Accept-Encoding'), representations);
  const etag = representations.etag(encoding);
  const described = {
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': 'no-cache',
    ...headers,
  };
  // Conditions apply only to what would be a success. Hono shows the status only in responses.
  if (isFresh(c, etag) && c.body(null).status === 200) return c.body(null, 304, described);
  const { body } = await representations.load(encoding);
  return c.body(body, undefined, {
    'Content-Type': contentType,
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
