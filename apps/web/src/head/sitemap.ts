import { escapeXml, xmlResponse } from './xml.ts';

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface SitemapEntry {
  url: string;
  /** ISO 8601 in UTC. */
  lastModified?: string;
}

/** Sitemaps protocol 0.9 (sitemaps.org). */
export const sitemap = (entries: SitemapEntry[]): Response => {
  const urls = entries.map(({ url, lastModified }) => {
    const lastmod = lastModified ? `<lastmod>${escapeXml(lastModified)}</lastmod>` : '';
    return `<url><loc>${escapeXml(url)}</loc>${lastmod}</url>`;
  });
  return xmlResponse(`<urlset xmlns="${namespace}">${urls.join('')}</urlset>`);
};

export const sitemapIndex = (urls: string[]): Response => {
  const sitemaps = urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>`);
  return xmlResponse(`<sitemapindex xmlns="${namespace}">${sitemaps.join('')}</sitemapindex>`);
};
