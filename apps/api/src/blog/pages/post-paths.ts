import { monthOfTime } from './months.ts';

export const postPath = (slug: string): string => `/blog/${slug}`;

/** The post's Markdown source. */
export const markdownPath = (slug: string): string => `/blog/${slug}.md`;

export const postPaths = (slug: string): string[] => [postPath(slug), markdownPath(slug)];

/** The slug in the path of a post's page, in HTML or Markdown. */
export function slugOfPath(path: string): string | undefined {
  const slug = /^\/blog\/([^/.]+)(?:\.md)?$/.exec(path)?.[1];
  return slug === 'archive' ? undefined : slug;
}

/** The server redirects it to the RSS feed. On static hosts, it is a copy of that feed. */
export const oldFeedPath = '/blog/feed.xml';

export const feedPaths: readonly string[] = [
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/blog/feed.json',
  oldFeedPath,
];

/** Lists that may contain every published post. */
export const listPaths: readonly string[] = ['/blog', ...feedPaths, '/llms.txt'];

export const monthIndexPaths = ['/blog/archive', '/sitemap.xml'] as const;

export const sitemapPath = (month: string): string => `/blog/sitemap-${month}.xml`;

export const monthPaths = (month: string): string[] => [
  `/blog/archive/${month}`,
  sitemapPath(month),
];

export const archivedMonth = (path: string): string | null =>
  /^\/blog\/archive\/(\d{4}-\d{2})$/.exec(path)?.[1] ?? null;

export const sitemapMonth = (path: string): string | null =>
  /^\/blog\/sitemap-(\d{4}-\d{2})\.xml$/.exec(path)?.[1] ?? null;

/** A post's own pages, and the lists that contain it. */
export const pathsOf = (slug: string, createdAt: number): string[] => [
  ...postPaths(slug),
  ...listPaths,
  ...monthPaths(monthOfTime(createdAt)),
];

/** The pages that an author looks at after a save. */
export const pathsShownFirst = (slug: string): string[] => [postPath(slug), '/blog'];
