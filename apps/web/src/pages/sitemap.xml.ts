import type { APIRoute } from 'astro';
import { pageData } from '../../renderer/page-data.ts';
import { sitemapIndex } from '../head/sitemap.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals }) => {
  const { origin, page } = pageData(locals, 'sitemapIndex');
  return sitemapIndex([
    `${origin}/sitemap-pages.xml`,
    ...page.months.map((month) => `${origin}/blog/sitemap-${month}.xml`),
  ]);
};
