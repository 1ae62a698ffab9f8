import { buildOrigin } from '@app/contract/pages';
import type { APIRoute } from 'astro';
import { sitemap } from '../head/sitemap.ts';

const pages = import.meta.glob<{ unlisted?: boolean }>('./**/*.astro', { eager: true });

const pathOf = (file: string): string => file.slice(1).replace(/(?:\/index)?\.astro$/, '') || '/';

/** Pages with a fixed path. Posts are in separate sitemaps. */
export const GET: APIRoute = () =>
  sitemap(
    Object.entries(pages)
      .filter(([file, { unlisted }]) => !unlisted && !file.includes('['))
      .map(([file]) => ({ url: buildOrigin + pathOf(file) })),
  );
