import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';
import { sitemap } from '../../head/sitemap.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals, params }) => {
  const { origin, page } = pageData(locals, 'sitemapMonth');
  return sitemap([
    { url: `${origin}/blog/archive/${params['month']}` },
    ...page.tags.map((tag) => ({ url: `${origin}/blog/tag/${tag}` })),
    ...page.posts.map(({ slug, updatedAt }) => ({
      url: `${origin}/blog/${slug}`,
      lastModified: updatedAt,
    })),
  ]);
};
