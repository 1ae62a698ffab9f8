export const postPath = (slug: string): string => `/blog/${slug}`;

/** The post as it was written. */
export const markdownPath = (slug: string): string => `/blog/${slug}.md`;

/** The pages of one slug. */
export const postPaths = (slug: string): string[] => [postPath(slug), markdownPath(slug)];

/** Of the posts of a month. */
export const sitemapPath = (month: string): string => `/blog/sitemap-${month}.xml`;
