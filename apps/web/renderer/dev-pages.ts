import type { PageData } from '@app/contract/pages';
import { defineMiddleware } from 'astro/middleware';

/**
 * In development pages are rendered on each visit, so their data is asked of
 * the API, which in production hands it over itself. Not part of a build.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  if (context.isPrerendered) return next();
  const { pathname, search, origin } = context.url;
  const call = new URL('/api/dev/page', import.meta.env.API_URL);
  call.searchParams.set('path', pathname + search);
  const reply = await fetch(call, {
    headers: { cookie: context.request.headers.get('cookie') ?? '' },
  });
  // Without a body Astro shows the 404 page.
  if (!reply.ok) return new Response(null, { status: 404 });
  context.locals.origin = origin;
  context.locals.page = (await reply.json()) as PageData;
  return next();
});
