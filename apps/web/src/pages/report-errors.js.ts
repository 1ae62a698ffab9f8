import type { APIRoute } from 'astro';

/** Serves the bundled script client-errors/report-errors.ts. */
export const GET: APIRoute = () =>
  new Response(import.meta.env.REPORTER, {
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  });
