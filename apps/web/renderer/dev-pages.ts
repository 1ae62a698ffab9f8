import type { PageData } from '@app/contract/pages';
import { defineMiddleware } from 'astro/middleware';

/**
 * Only in development: renders pages on each request with data from the API. In production, the API
 * calls the renderer. Passes on the API's redirects.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  if (context.isPrerendered) return next();
  const { pathname, search, origin } = context.url;
  await sendSamplePosts(origin);
  const headers = { cookie: context.request.headers.get('cookie') ?? '' };
  const response = await fetch(new URL(pathname + search, import.meta.env.API_URL), {
    headers,
    redirect: 'manual',
  });
  await response.body?.cancel();
  if (response.headers.has('location')) {
    return new Response(null, { status: response.status, headers: response.headers });
  }
  const dataUrl = new URL('/api/dev/page', import.meta.env.API_URL);
  dataUrl.searchParams.set('path', pathname + search);
  const reply = await fetch(dataUrl, { headers });
  // Astro shows the 404 page for a response without a body.
  if (!reply.ok) return new Response(null, { status: 404 });
  context.locals.origin = origin;
  context.locals.page = (await reply.json()) as PageData;
  return next();
});

const sendSamplePosts = async (origin: string): Promise<void> => {
  // Imported on each request, because Astro loads middleware once.
  const { readSamplePosts } = await import('./sample-posts.ts');
  const response = await fetch(new URL('/api/dev/sample-posts', import.meta.env.API_URL), {
    method: 'PUT',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(await readSamplePosts()),
  });
  if (!response.ok) throw new Error(`API: status ${response.status}: ${await response.text()}`);
};
