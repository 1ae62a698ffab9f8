import type { HttpBindings } from '@hono/node-server';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import type { Log } from '../log.ts';
import { newId, withoutTokens } from '../tokens.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Metrics } from './metrics/metrics.ts';
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

/** The pattern of the route that answered, or that a middleware kept from answering. */
function routeOf(c: AppContext): string {
  const routes = matchedRoutes(c);
  const isPattern = (route?: { path: string }) => route !== undefined && !route.path.includes('*');
  const answered = routes[c.req.routeIndex];
  return (isPattern(answered) ? answered : routes.find(isPattern))?.path ?? 'none';
}

interface LogParts {
  log: Log;
  metrics: Metrics;
  isHttps: boolean;
}

/**
 * Sets the request id and default headers, and logs requests to the app: successful reads at debug,
 * missing pages too, since they have their own line, and everything else at info. Counts all of them.
 */
export const requestLog = ({ log, metrics, isHttps }: LogParts) => {
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
    const milliseconds = performance.now() - began;
    const { method } = c.req;
    const { status } = c.res;
    metrics.countRequest({ method, route: routeOf(c), status }, milliseconds / 1_000);

    // Without the query, which may contain a token, too.
    const path = withoutTokens(c.req.path);
    const isMissingPage = c.get('isMissingPage') === true;
    if (isMissingPage) missingPages.note(path);
    const isQuiet = isMissingPage || (method === 'GET' && status < 400);
    const level = isQuiet ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        requestId,
        method,
        path,
        status,
        milliseconds: Math.round(milliseconds * 10) / 10,
      },
      'request',
    );
  });
};
