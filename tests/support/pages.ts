import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SitePage {
  path: string;
  /** For names of files, such as blog-archive. */
  name: string;
  isIndexable: boolean;
  status: 200 | 404;
}

/**
 * Every public page of a running site, home first, found in the files it serves, so new pages are
 * tested automatically. Pages that redirect visitors are left out.
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
  if (pages.length === 0) throw new Error(`no pages in ${folder}`);
  return pages.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export async function readSitemap(url: string): Promise<string[]> {
  const lists = await urlsIn(`${url}/sitemap.xml`);
  return (await Promise.all(lists.map(urlsIn))).flat();
}

const urlsIn = async (url: string): Promise<string[]> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const text = await response.text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => loc);
};
