import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A page that anybody can read, as a running site has it. */
export interface SitePage {
  /** /about */
  path: string;
  /** For files and messages: about, blog-archive. */
  name: string;
  /** Whether search engines may show it: it does not say noindex. */
  isIndexable: boolean;
  /** 404 for the page that tells of it. */
  status: 200 | 404;
}

/**
 * Every page of a running site, the way home first, found in the files that it serves: so a
 * new page is measured and tested without anybody remembering. Left out is what is of no use
 * to a visitor: pages that send them elsewhere.
 * @param dataDir of the running site
 */
export async function findPages(dataDir: string): Promise<SitePage[]> {
  const folder = join(dataDir, 'site');
  const pages: SitePage[] = [];
  for await (const file of glob('**/*.html', { cwd: folder })) {
    const html = await readFile(join(folder, file), 'utf8');
    if (/<html[^>]* data-signed-out-to=|http-equiv="refresh"/.test(html)) continue;
    const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`;
    pages.push({
      path,
      name: path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'),
      isIndexable: !/<meta name="robots" content="noindex"/.test(html),
      status: path === '/404' ? 404 : 200,
    });
  }
  if (pages.length === 0) throw new Error(`there is no page in ${folder}`);
  return pages.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The addresses that a site's sitemap and the lists in it name. */
export async function readSitemap(url: string): Promise<string[]> {
  const lists = await addressesIn(`${url}/sitemap.xml`);
  return (await Promise.all(lists.map(addressesIn))).flat();
}

const addressesIn = async (address: string): Promise<string[]> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const text = await response.text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => loc);
};
