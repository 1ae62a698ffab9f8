import type { HttpBindings } from '@hono/node-server';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import type { Log } from '../log.ts';
import { newId, withoutTokens } from '../tokens.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createMissingPages } from './missing-pages.ts';
import { measureRequest, type RequestTime } from './request-time.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * Sets a header that the response can override. Uses Node's response if there is one, because a
 * Headers object takes a fifth of the time of a read.
 */
function setHeader(c: AppContext, name: string, value: string): void {
  const outgoing = (c.env as HttpBindings | undefined)?.outgoing;
  if (outgoing) outgoing.setHeader(name, value);
  else c.header(name, value);
}

/** The pattern of the route that answered or whose middleware did. */
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

/** Slower requests are logged at warn, with what they waited for. */
const slowMilliseconds = 250;

/** In whole milliseconds. */
function breakdown(milliseconds: number, spent: RequestTime): Record<string, number> {
  const known = Object.values(spent).reduce((sum, part) => sum + part, 0);
  // The sum can be larger, because parts can run at the same time.
  const all = { milliseconds, ...spent, other: Math.max(milliseconds - known, 0) };
  return Object.fromEntries(Object.entries(all).map(([name, part]) => [name, Math.round(part)]));
}

/**
 * Sets the request id and default headers. Counts and logs requests to the app: successful reads at
 * debug, missing pages as well because they have a line of their own, and everything else at info.
 * Slow requests are also logged with what they waited for.
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
    const spent = await measureRequest(next);
    const milliseconds = performance.now() - began;
    const { method } = c.req;
    const { status } = c.res;
    const route = routeOf(c);
    metrics.countRequest({ method, route, status }, milliseconds / 1_000);
    // The client decides how fast a body arrives.
    if (milliseconds - spent.body > slowMilliseconds) {
      const facts = { requestId, method, route, status };
      log.warn({ ...facts, ...breakdown(milliseconds, spent) }, 'slow request');
    }

    // The query is not logged, because it can contain a token, too.
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
