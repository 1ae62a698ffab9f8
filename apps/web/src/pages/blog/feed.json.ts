import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';
import { jsonFeed } from '../../blog/feeds/feeds.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals }) => {
  const { origin, page } = pageData(locals, 'feed');
  return new Response(jsonFeed(origin, page.posts), {
    headers: { 'content-type': 'application/feed+json; charset=utf-8' },
  });
};
