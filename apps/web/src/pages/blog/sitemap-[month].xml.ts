import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';
import { sitemap } from '../../head/sitemap.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals, params }) => {
  const { origin, page } = pageData(locals, 'sitemapMonth');
  return sitemap([
    { address: `${origin}/blog/archive/${params['month']}` },
    ...page.posts.map(({ slug, updatedAt }) => ({
      address: `${origin}/blog/${slug}`,
      changed: updatedAt,
    })),
  ]);
};
