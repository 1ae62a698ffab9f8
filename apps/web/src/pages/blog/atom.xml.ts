import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';
import { atom } from '../../blog/feeds/feeds.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals }) => {
  const { origin, page } = pageData(locals, 'feed');
  return new Response(atom(origin, page.posts), {
    headers: { 'content-type': 'application/atom+xml; charset=utf-8' },
  });
};
