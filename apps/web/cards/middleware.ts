import { defineMiddleware } from 'astro/middleware';

/** Collects the cards that prerendered pages refer to. cards.ts renders them after the build. */
export const onRequest = defineMiddleware(async ({ isPrerendered, locals }, next) => {
  const response = await next();
  if (!isPrerendered) return response;
  // The layout sets the card, and Astro renders it only while the body is read.
  const body = await response.arrayBuffer();
  if (locals.card) globalThis.prerenderedCards?.set(locals.card.path, locals.card.title);
  return new Response(body, response);
});
