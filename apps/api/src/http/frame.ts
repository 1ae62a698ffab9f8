import { createMiddleware } from 'hono/factory';
import type { Log } from '../log.ts';
import { newId } from '../tokens.ts';
import type { AppEnv } from './context.ts';

/**
 * Around every request that is not a published file: its id, the headers that
 * all answers share, and its log line. Reads that went well are logged at debug,
 * everything else at info.
 */
export const frame = (log: Log) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const requestId = newId();
    const began = performance.now();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Cache-Control', 'no-store');
    await next();

    const isQuiet = c.req.method === 'GET' && c.res.status < 400;
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
