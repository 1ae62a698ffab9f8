import { defineMiddleware } from 'astro/middleware';

/** Notes which cards the prerendered pages refer to; cards.ts draws them when all are known. */
export const onRequest = defineMiddleware(async ({ isPrerendered, locals }, next) => {
  const response = await next();
  if (!isPrerendered) return response;
  // A page is rendered while it is read, its layout included, which knows the card.
  const body = await response.arrayBuffer();
  if (locals.card) globalThis.prerenderedCards?.set(locals.card.path, locals.card.title);
  return new Response(body, response);
});
