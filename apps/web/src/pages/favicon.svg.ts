import type { APIRoute } from 'astro';
import { iconSvg } from '../brand/icon.ts';

export const GET: APIRoute = () =>
  new Response(iconSvg('tile'), { headers: { 'content-type': 'image/svg+xml' } });
