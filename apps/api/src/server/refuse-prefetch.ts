import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';

/**
 * Browsers prefetch and prerender pages that nobody has opened yet (Sec-Purpose, Fetch standard).
 * Published files may be; a page that is rendered for one visitor is only rendered when opened.
 * What such a page loads, such as pictures, is served.
 */
export const refusePrefetch = createMiddleware<AppEnv>(async (c, next) => {
  const isPrefetch = c.req.header('Sec-Purpose')?.startsWith('prefetch') === true;
  if (isPrefetch && c.req.header('Sec-Fetch-Dest') === 'document') {
    return c.body(null, 503, { Vary: 'Sec-Purpose', 'Cache-Control': 'no-store' });
  }
  return next();
});
