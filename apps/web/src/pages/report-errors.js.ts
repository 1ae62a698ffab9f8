import type { APIRoute } from 'astro';

/** See client-errors/report-errors.ts. */
export const GET: APIRoute = () =>
  new Response(import.meta.env.REPORTER, {
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  });
