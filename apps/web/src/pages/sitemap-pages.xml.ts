import { sitePages } from 'virtual:site-pages';
import { buildOrigin } from '@app/contract/pages';
import type { APIRoute } from 'astro';
import { sitemap } from '../head/sitemap.ts';
import { unlistedPaths } from '../head/unlisted.ts';

export const GET: APIRoute = () =>
  sitemap(
    sitePages
      .filter((path) => !unlistedPaths.includes(path))
      .map((path) => ({ address: `${buildOrigin}${path}` })),
  );
