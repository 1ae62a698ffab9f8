import { escapeXml, xmlResponse } from './xml.ts';

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface SitemapEntry {
  /** The page's full address. */
  address: string;
  /** ISO 8601 in UTC. */
  changed?: string;
}

/** A list of pages (sitemaps.org protocol 0.9). */
export const sitemap = (entries: SitemapEntry[]): Response => {
  const urls = entries.map(({ address, changed }) => {
    const lastmod = changed ? `<lastmod>${escapeXml(changed)}</lastmod>` : '';
    return `<url><loc>${escapeXml(address)}</loc>${lastmod}</url>`;
  });
  return xmlResponse(`<urlset xmlns="${namespace}">${urls.join('')}</urlset>`);
};

/** A list of such lists. */
export const sitemapIndex = (addresses: string[]): Response => {
  const sitemaps = addresses.map(
    (address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>`,
  );
  return xmlResponse(`<sitemapindex xmlns="${namespace}">${sitemaps.join('')}</sitemapindex>`);
};
