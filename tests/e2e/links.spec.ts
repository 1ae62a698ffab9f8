import { createHash } from 'node:crypto';
import { readSitemap } from '../support/pages.ts';
import { expect, test } from '../support/pages-test.ts';

interface Head {
  h1s: number;
  title: string;
  description: string;
  canonical: string | null;
  shared: Record<string, string>;
  data: string | null;
  /** Inline scripts. */
  scripts: string[];
  policy: string | null;
  /** The header's links to the current page, by their mark. */
  marked: string[];
  navigation: string[];
  ids: string[];
  /** Without links for signed-in users. */
  links: string[];
}

let heads: Map<string, Head>;

test.beforeAll(async ({ browser, pages, site: { url } }) => {
  const page = await browser.newPage();
  heads = new Map();
  for (const { path } of pages) {
    const html = await (await fetch(url + path)).text();
    // The HTML as served, as search engines read it.
    heads.set(path, await page.evaluate(readHead, html));
  }
  await page.close();
});

/** Runs in a page. */
const readHead = (html: string): Head => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const all = (selector: string) => Array.from(page.querySelectorAll(selector));
  const attribute = (selector: string, name: string) =>
    page.querySelector(selector)?.getAttribute(name) ?? null;
  const hrefOf = (link: Element) => link.getAttribute('href') ?? '';
  return {
    h1s: all('h1').length,
    title: page.title,
    description: attribute('meta[name="description"]', 'content') ?? '',
    canonical: attribute('link[rel="canonical"]', 'href'),
    shared: Object.fromEntries(
      all('meta[property^="og:"]').map((meta) => [
        meta.getAttribute('property'),
        meta.getAttribute('content') ?? '',
      ]),
    ),
    policy: attribute('meta[http-equiv="content-security-policy"]', 'content'),
    marked: all('body > header a[aria-current="page"]').map(hrefOf),
    navigation: all('body > header nav a').map(hrefOf),
    data: page.querySelector('script[type="application/ld+json"]')?.textContent ?? null,
    scripts: all('script:not([src], [type$="json"])').map((script) => script.textContent ?? ''),
    ids: all('[id]').map(({ id }) => id),
    links: all('a[href], link[href], img[src], source[src]')
      .filter(
        (element) =>
          !element.closest('[class*="not-signed-in:hidden"], [class*="not-writer:hidden"]'),
      )
      .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? ''),
  };
};

/** Internal URLs, each with the first page that links to it. */
function findTargets(url: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const [path, { links }] of heads) {
    for (const link of links) {
      const { origin, href } = new URL(link, url + path);
      if (origin === url && !targets.has(href)) targets.set(href, path);
    }
  }
  return targets;
}

test.describe('every page', () => {
  test('has internal links and fragments that exist', async ({ pages, site }) => {
    const targets = findTargets(site.url);
    expect(targets.size).toBeGreaterThan(pages.length);
    const broken: string[] = [];
    for (const [url, from] of targets) {
      const { pathname, hash } = new URL(url);
      if (hash && !heads.get(pathname)?.ids.includes(hash.slice(1))) {
        broken.push(`${from} → ${pathname}${hash}: no such id`);
      }
      if (hash && pathname === from) continue;
      const { status } = await fetch(url, { redirect: 'manual' });
      // The account link of visitors without JavaScript leads to the sign-in page.
      if (pathname === '/profile' && status === 303) continue;
      if (status !== 200) broken.push(`${from} → ${url}: ${status}`);
    }
    expect(broken).toEqual([]);
  });

  test('has unique ids', () => {
    for (const [path, { ids }] of heads) {
      expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []]);
    }
  });

  test('has one h1, and a unique title and description', () => {
    const titles = new Map<string, string>();
    const descriptions = new Map<string, string>();
    for (const [path, { h1s, title, description }] of heads) {
      expect([path, h1s]).toEqual([path, 1]);
      expect([path, titles.get(title)]).toEqual([path, undefined]);
      expect([path, descriptions.get(description)]).toEqual([path, undefined]);
      expect(title.length, `${path}: its title`).toBeGreaterThan(0);
      expect(description.length, `${path}: its description`).toBeGreaterThan(0);
      // Search engines truncate longer ones.
      expect(description.length, `${path}: its description`).toBeLessThanOrEqual(160);
      titles.set(title, path);
      descriptions.set(description, path);
    }
  });

  test('has a canonical URL and sharing tags', async ({ pages, site }) => {
    for (const { path, isIndexable } of pages) {
      const { canonical, shared, description } = heads.get(path) ?? {};
      expect([path, canonical]).toEqual([path, isIndexable ? site.url + path : null]);
      expect([path, shared]).toEqual([
        path,
        expect.objectContaining({
          'og:site_name': expect.stringMatching(/./),
          'og:title': expect.stringMatching(/./),
          'og:description': description,
          'og:type': expect.stringMatching(/^(?:website|article)$/),
          'og:url': site.url + path,
        }),
      ]);
    }
  });

  test('has valid JSON-LD with existing URLs', async ({ pages, site }) => {
    const urls = new Set<string>();
    for (const { path } of pages.filter(({ isIndexable }) => isIndexable)) {
      const data = JSON.parse(heads.get(path)?.data ?? 'null', (_, value: unknown) => {
        if (typeof value === 'string' && value.startsWith(`${site.url}/`)) urls.add(value);
        return value;
      });
      // The home page describes the company; others have breadcrumbs.
      const types = path === '/' ? ['Organization', 'WebSite'] : ['BreadcrumbList'];
      expect([path, data]).toEqual([
        path,
        {
          '@context': 'https://schema.org',
          '@graph': expect.arrayContaining(
            types.map((type) => expect.objectContaining({ '@type': type })),
          ),
        },
      ]);
      for (const item of data['@graph']) expect(item['@type']).toMatch(/^[A-Z][A-Za-z]+$/);
    }
    const missing: string[] = [];
    for (const url of urls) {
      const { status } = await fetch(url, { redirect: 'manual' });
      if (status !== 200) missing.push(`${url}: ${status}`);
    }
    expect(missing).toEqual([]);
  });

  test('marks only itself in the header', ({ pages }) => {
    for (const { path } of pages.filter(({ status }) => status === 200)) {
      const { marked, navigation = [] } = heads.get(path) ?? {};
      expect([path, marked]).toEqual([path, navigation.filter((href) => href === path)]);
    }
    expect(heads.get('/contact')?.marked).toEqual(['/contact']);
  });

  test('has the hashes of all its inline scripts in its policy', () => {
    for (const [path, { scripts, policy }] of heads) {
      const hashes = scripts.map((text) => createHash('sha256').update(text).digest('base64'));
      const foreign = hashes.filter((hash) => !policy?.includes(`'sha256-${hash}'`));
      expect([path, foreign]).toEqual([path, []]);
    }
    expect(heads.get('/services')?.scripts.length).toBeGreaterThan(2);
  });

  test('does not allow inline scripts, inline styles or framing', async ({ pages, site }) => {
    for (const { path } of pages) {
      const { headers } = await fetch(site.url + path);
      const policies = [headers.get('content-security-policy'), heads.get(path)?.policy];
      expect([path, ...policies]).toEqual([
        path,
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
        expect.stringContaining("default-src 'self'"),
      ]);
      expect([path, heads.get(path)?.policy]).toEqual([
        path,
        expect.not.stringContaining('unsafe-inline'),
      ]);
    }
  });
});

test('the recruiting page has structured data for a service', () => {
  const data = heads.get('/technical-recruiting')?.data ?? '';
  expect(JSON.parse(data)['@graph']).toContainEqual(
    expect.objectContaining({ '@type': 'Service', name: 'Technical recruiting' }),
  );
});

test('the sitemap lists exactly the indexable pages, once each', async ({ pages, site }) => {
  const listed = (await readSitemap(site.url)).toSorted();
  const meant = pages
    .filter(({ isIndexable }) => isIndexable)
    .map(({ path }) => site.url + path)
    .toSorted();
  expect(listed).toEqual(meant);
  const robots = await (await fetch(`${site.url}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${site.url}/sitemap.xml`);
});

test('links in sentences on the sitemap have no surrounding spaces', async ({ page }) => {
  await page.goto('/sitemap');
  const texts = await page.getByRole('main').locator('p a').allTextContents();
  expect(texts).not.toEqual([]);
  expect(texts).toEqual(texts.map((text) => text.trim()));
});
