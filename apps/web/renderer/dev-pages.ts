import type { PageData } from '@app/contract/pages';
import { defineMiddleware } from 'astro/middleware';

/**
 * In development pages are rendered on each visit, so their data is asked of
 * the API, which in production hands it over itself. Where the API leads somewhere
 * else instead, so does this. Not part of a build.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  if (context.isPrerendered) return next();
  const { pathname, search, origin } = context.url;
  await sendSamplePosts(origin);
  const headers = { cookie: context.request.headers.get('cookie') ?? '' };
  const answer = await fetch(new URL(pathname + search, import.meta.env.API_URL), {
    headers,
    redirect: 'manual',
  });
  await answer.body?.cancel();
  if (answer.headers.has('location')) {
    return new Response(null, { status: answer.status, headers: answer.headers });
  }
  const call = new URL('/api/dev/page', import.meta.env.API_URL);
  call.searchParams.set('path', pathname + search);
  const reply = await fetch(call, { headers });
  // Without a body Astro shows the 404 page.
  if (!reply.ok) return new Response(null, { status: 404 });
  context.locals.origin = origin;
  context.locals.page = (await reply.json()) as PageData;
  return next();
});

/** The API has those of the last build; these may have been edited since. */
const sendSamplePosts = async (origin: string): Promise<void> => {
  // Astro loads a middleware once, and with it the posts as they were; this loads them anew.
  const { readSamplePosts } = await import('./sample-posts.ts');
  const answer = await fetch(new URL('/api/dev/sample-posts', import.meta.env.API_URL), {
    method: 'PUT',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(await readSamplePosts()),
  });
  if (!answer.ok) throw new Error(`The API answered ${answer.status}: ${await answer.text()}`);
};
