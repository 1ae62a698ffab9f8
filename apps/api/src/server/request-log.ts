import type { HttpBindings } from '@hono/node-server';
import { createMiddleware } from 'hono/factory';
import { newId } from '../tokens.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Deps } from './deps.ts';
import { createMissingPages } from './missing-pages.ts';

/**
 * Sets a header that the response may still replace. On Node's own response if there is one: a
 * Headers object for each response costs a fifth of a read.
 */
function setHeader(c: AppContext, name: string, value: string): void {
  const outgoing = (c.env as HttpBindings | undefined)?.outgoing;
  if (outgoing) outgoing.setHeader(name, value);
  else c.header(name, value);
}

/**
 * Sets the id and the common headers of every request that is not a published file, and logs it.
 * Successful reads are logged at debug, and so are missing pages, which have a log line of their
 * own; everything else at info.
 */
export const requestLog = ({ log }: Pick<Deps, 'log'>) => {
  const missingPages = createMissingPages(log);

  return createMiddleware<AppEnv>(async (c, next) => {
    const requestId = newId();
    const began = performance.now();
    c.set('requestId', requestId);
    setHeader(c, 'X-Request-Id', requestId);
    setHeader(c, 'X-Content-Type-Options', 'nosniff');
    setHeader(c, 'Cache-Control', 'no-store');
    await next();

    const isMissingPage = c.get('isMissingPage') === true;
    if (isMissingPage) missingPages.note(c.req.path);
    const isQuiet = isMissingPage || (c.req.method === 'GET' && c.res.status < 400);
    const level = isQuiet ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        requestId,
        method: c.req.method,
        // Without its query, which may contain a token.
        path: c.req.path,
        status: c.res.status,
        milliseconds: Math.round((performance.now() - began) * 10) / 10,
      },
      'request',
    );
  });
};
