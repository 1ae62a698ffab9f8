import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import type { PersonalPages } from './personal-pages.ts';

/**
 * Browsers prefetch and prerender pages (Sec-Purpose, Fetch standard). Personal pages are only
 * rendered when they are opened. Requests that prerendered pages make are answered.
 */
export const refusePrefetch = (pages: PersonalPages) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const isPrefetch = c.req.header('Sec-Purpose')?.startsWith('prefetch') === true;
    const isPublic = pages[c.req.path]?.isPublic === true && !c.req.url.includes('?');
    if (isPrefetch && c.req.header('Sec-Fetch-Dest') === 'document' && !isPublic) {
      return c.body(null, 503, { Vary: 'Sec-Purpose', 'Cache-Control': 'no-store' });
    }
    return next();
  });
