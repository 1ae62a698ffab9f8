import { buildOrigin } from '@app/contract/pages';
import type { APIRoute } from 'astro';
import { textResponse } from '../head/text-response.ts';

export const GET: APIRoute = () =>
  textResponse(['User-agent: *', 'Disallow: /api/', '', `Sitemap: ${buildOrigin}/sitemap.xml`]);
