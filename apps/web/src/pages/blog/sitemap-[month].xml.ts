import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';
import { sitemap } from '../../head/sitemap.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals }) => {
  const { origin, page } = pageData(locals, 'sitemapMonth');
  return sitemap(
    page.posts.map(({ slug, updatedAt }) => ({
      address: `${origin}/blog/${slug}`,
      changed: updatedAt,
    })),
  );
};
