import type { HttpBindings } from '@hono/node-server';
import { createMiddleware } from 'hono/factory';
import type { Log } from '../log.ts';
import { newId, withoutTokens } from '../tokens.ts';
import type { AppContext, AppEnv } from './context.ts';
import { createMissingPages } from './missing-pages.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * Sets a header that the response may override. On Node's response if there is one: a Headers
 * object per response costs a fifth of a read.
 */
function setHeader(c: AppContext, name: string, value: string): void {
  const outgoing = (c.env as HttpBindings | undefined)?.outgoing;
  if (outgoing) outgoing.setHeader(name, value);
  else c.header(name, value);
}

/**
 * Sets the request id and default headers, and logs requests to the app: successful reads at debug,
 * missing pages too, since they have their own line, and everything else at info.
 */
export const requestLog = (log: Log, isHttps: boolean) => {
  const missingPages = createMissingPages(log);
  const defaults = Object.entries({
    ...securityHeaders('data', isHttps),
    'Cache-Control': 'no-store',
  });

  return createMiddleware<AppEnv>(async (c, next) => {
    const requestId = newId();
    const began = performance.now();
    c.set('requestId', requestId);
    setHeader(c, 'X-Request-Id', requestId);
    for (const [name, value] of defaults) setHeader(c, name, value);
    await next();

    // Without the query, which may contain a token, too.
    const path = withoutTokens(c.req.path);
    const isMissingPage = c.get('isMissingPage') === true;
    if (isMissingPage) missingPages.note(path);
    const isQuiet = isMissingPage || (c.req.method === 'GET' && c.res.status < 400);
    const level = isQuiet ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        requestId,
        method: c.req.method,
        path,
        status: c.res.status,
        milliseconds: Math.round((performance.now() - began) * 10) / 10,
      },
      'request',
    );
  });
};
