import type { HttpBindings } from '@hono/node-server';
import { createMiddleware } from 'hono/factory';
import { newId } from '../tokens.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Deps } from './deps.ts';
import { createMissingPages } from './missing-pages.ts';

/**
 * Sets a header that the answer may still replace. On Node's own response where
 * there is one: a Headers object for each answer costs a fifth of a read.
 */
function setHeader(c: AppContext, name: string, value: string): void {
  const outgoing = (c.env as HttpBindings | undefined)?.outgoing;
  if (outgoing) outgoing.setHeader(name, value);
  else c.header(name, value);
}

/**
 * Around every request that is not a published file: its id, the headers that
 * all answers share, and its log line. Reads that went well are logged at debug, and
 * so are pages that are not there, which have a line of their own; everything else
 * at info.
 */
export const frame = ({ log }: Pick<Deps, 'log'>) => {
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
        // Without its query: links carry secrets there.
        path: c.req.path,
        status: c.res.status,
        milliseconds: Math.round((performance.now() - began) * 10) / 10,
      },
      'request',
    );
  });
};
