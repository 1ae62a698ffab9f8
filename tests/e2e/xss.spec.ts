import { plainExcerpt } from '@app/contract/blog/plain-excerpt';
import { limits } from '@app/contract/limits';
import type { Page } from 'playwright/test';
import { isFullRun } from '../support/full-run.ts';
import { contentEditor, editorStatus, previewOf, saveButton } from '../support/post-editor.ts';
import { findHostile, type ServedPage } from '../support/xss/find-hostile.ts';
import { expect, test } from '../support/xss/hostile-site.ts';
import { canBeAlt, inGroups, onOneLine, payloads } from '../support/xss/payloads.ts';
import { readTexts } from '../support/xss/read-texts.ts';
import { WatchedPage } from '../support/xss/watch.ts';

// Hundreds of posts are imported, and a full run opens thousands of pages.
test.describe.configure({ timeout: isFullRun ? 7_200_000 : 600_000 });

// The policy is the second line of defense: nothing may depend on it.
const policies = [
  { name: 'without a policy', hasPolicy: false },
  ...(isFullRun ? [{ name: 'with their policy', hasPolicy: true }] : []),
];

const sample = <T>(all: readonly T[], every: number): readonly T[] =>
  isFullRun ? all : all.filter((_each, index) => index % every === 0);

/** XML 1.0 does not allow control characters. */
const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, '');

const pathOf = ({ slug }: { slug: string }): string => `/blog/${slug}`;

async function fetchAll(watched: WatchedPage, paths: readonly string[]): Promise<ServedPage[]> {
  const pages: ServedPage[] = [];
  for (const some of inGroups(paths, 8)) {
    pages.push(...(await Promise.all(some.map((path) => watched.fetch(path)))));
  }
  return pages;
}

/** Reads pages without opening them. */
async function readAll(
  watched: WatchedPage,
  paths: readonly string[],
): Promise<ReturnType<typeof readTexts>> {
  const pages = await fetchAll(watched, paths);
  const hostileParts = await watched.page.evaluate(findHostile, pages);
  expect(hostileParts.flatMap((found, index) => found.map((each) => [paths[index], each]))).toEqual(
    [],
  );
  return watched.page.evaluate(readTexts, pages);
}

const serve = (page: Page, path: string, body: string, policy = ''): Promise<unknown> =>
  page.route(path, (route) =>
    route.fulfill({
      body,
      contentType: 'text/html; charset=utf-8',
      headers: policy ? { 'Content-Security-Policy': policy } : {},
    }),
  );

test.describe('the check', () => {
  const live = [
    '<script>alert(1)</script>',
    '<img src="data:image/png,x" onerror="confirm(2)">',
    '<svg onload="prompt(3)"></svg>',
    '<iframe srcdoc="<script>alert(4)</script>"></iframe>',
    '<input autofocus onfocus="alert(5)">',
    '<script src="https://evil.example/6.js"></script>',
    '<link rel="stylesheet" href="https://evil.example/7.css">',
    '<script>console.log(8)</script>',
    '<script>throw new Error(9)</script>',
    '<a href="java&Tab;script:alert(10)">a</a>',
    '<form action="https://evil.example/11"></form>',
  ].join('');

  test('finds what executes without a policy', async ({ browser, site }) => {
    await using watched = await WatchedPage.open(browser, { origin: site.url, hasPolicy: false });
    await serve(watched.page, '/control', live, "default-src 'none'");
    const found = await watched.visit('/control');
    const events = [
      ...['alert(1)', 'confirm(2)', 'prompt(3)', 'alert(4)', 'alert(5)', 'logged 8'],
      'requested https://evil.example/6.js as script',
      'requested https://evil.example/7.css as stylesheet',
      'threw Error: 9',
    ];
    const markup = [/^IMG onerror=/, /^svg onload=/, /srcdoc=/, /onfocus=/, /^A href=/, /^<form /];
    expect(found).toEqual(expect.arrayContaining(events));
    expect(found).toEqual(
      expect.arrayContaining(markup.map((each) => expect.stringMatching(each))),
    );
  });

  test('finds what a policy has blocked', { tag: '@full' }, async ({ browser, site }) => {
    await using watched = await WatchedPage.open(browser, { origin: site.url, hasPolicy: true });
    await serve(watched.page, '/control', live, "default-src 'self'");
    const found = await watched.visit('/control');
    expect(found.filter((event) => /Content Security Policy/.test(event)).length).toBeGreaterThan(
      5,
    );
    expect(found.join()).not.toContain('alert(1)');
  });

  test('notices that a page was left', { tag: '@full' }, async ({ browser, site }) => {
    await using watched = await WatchedPage.open(browser, { origin: site.url, hasPolicy: false });
    await serve(watched.page, '/control', '<meta http-equiv="refresh" content="0;url=/elsewhere">');
    await serve(watched.page, '/elsewhere', 'Here');
    await watched.page.goto('/control');
    await watched.page.waitForURL('/elsewhere');
    expect(await watched.events('/control')).toEqual([`left /control for ${site.url}/elsewhere`]);
  });

  test('finds payloads that are not escaped', async ({ browser, site }) => {
    await using watched = await WatchedPage.open(browser, { origin: site.url, hasPolicy: false });
    const policy = "script-src 'self'";
    await serve(watched.page, '/control', '');
    await watched.page.goto('/control');
    const pages = payloads.map((html) => ({ html: `<p>${html}</p><p title="${html}">`, policy }));
    const found = await watched.page.evaluate(findHostile, pages);
    expect(found.filter(({ length }) => length > 0).length).toBeGreaterThan(0.7 * payloads.length);
  });
});

for (const { name, hasPolicy } of policies) {
  test(`nothing executes on readers’ pages ${name}`, async ({ browser, hostile, site }) => {
    await using watched = await WatchedPage.open(browser, { origin: site.url, hasPolicy });
    // An empty page: the policy of a real one would report the styles of pages that are read on it.
    await serve(watched.page, '/reading', '');
    await watched.page.goto('/reading');
    const bodies = hostile.bodies.map(pathOf);
    const read = await readAll(watched, bodies);
    for (const [index, { numbers }] of hostile.bodies.entries()) {
      const [path, texts] = [bodies[index] ?? '', read[index]];
      const expected = numbers.map((number) => onOneLine(payloads[number] ?? ''));
      expect(texts, path).toMatchObject({
        paragraphs: expect.arrayContaining(
          numbers.flatMap((number) => [`before ${number}`, `after ${number}`]),
        ),
        codes: expect.arrayContaining(expected),
        alts: expect.arrayContaining(expected.filter(canBeAlt)),
        captions: expect.arrayContaining(expected.filter(canBeAlt)),
      });
    }
    const tagPages = [...hostile.tagPages, ...hostile.groups];
    await readAll(watched, tagPages);
    const lists = ['/blog', '/blog/archive', '/blog/archive/2025-03', ...sample(tagPages, 5)];
    const posts = [...sample(bodies, 3), ...sample(hostile.titles, 15).map(pathOf)];
    for (const path of [...lists, ...posts]) {
      expect(await watched.visit(path), path).toEqual([]);
    }
    await watched.page.goto('/blog/archive/2025-03');
    const titles = await watched.page.locator('main li a').allTextContents();
    expect(titles.map(onOneLine).toSorted()).toEqual(
      hostile.titles.map(({ title }) => onOneLine(title)).toSorted(),
    );
  });

  test(`nothing executes in a search ${name}`, async ({ browser, hostile, site }) => {
    expect(hostile.titles.length).toBeGreaterThan(0);
    await using watched = await WatchedPage.open(browser, { origin: site.url, hasPolicy });
    const { page } = watched;
    for (const query of ['alert', 'onerror', ...sample(payloads, 50).slice(0, 60)]) {
      const path = `/blog/search?${new URLSearchParams({ q: query.slice(0, 100) })}`;
      await page.goto(path);
      const { pathname, search } = new URL(page.url());
      expect(await watched.look(pathname + search), path).toEqual([]);
    }
    await page.goto('/blog/search');
    for (const word of ['alert', 'script', 'onerror']) {
      await page.getByRole('searchbox').fill(word);
      await expect(page).toHaveURL(`/blog/search?q=${word}`);
      await expect(page.locator('#search-results mark').first()).toHaveText(word, {
        ignoreCase: true,
      });
      expect(await watched.look(`/blog/search?q=${word}`), word).toEqual([]);
    }
  });
}

test('no post has unsafe parts, and nothing executes on those that are opened', async ({
  browser,
  hostile,
  site,
}) => {
  const { author } = hostile;
  const options = { origin: site.url, hasPolicy: false, storageState: author };
  await using watched = await WatchedPage.open(browser, options);
  const { page } = watched;
  await page.goto('/blog');
  const titles = await readAll(watched, hostile.titles.map(pathOf));
  expect(titles.map(({ heading, description }) => [heading, description])).toEqual(
    hostile.titles.map(({ title, excerpt }) => [title, plainExcerpt(excerpt)].map(onOneLine)),
  );
  expect(titles.every(({ covers }) => covers[0]?.startsWith('https://cover.example/'))).toBe(true);
  const tags = await readAll(watched, hostile.tags.map(pathOf));
  expect(tags.map((each) => each.tags)).toEqual(hostile.tags.map(({ names }) => names));
  const html = await readAll(watched, hostile.html.map(pathOf));
  for (const [index, { slug, payload }] of hostile.html.entries()) {
    const codes = html[index]?.codes.map(withoutControls);
    expect(codes, slug).toContain(withoutControls(onOneLine(payload)));
  }
  await readAll(watched, hostile.unquoted);

  const paths = [...hostile.titles, ...hostile.tags, ...hostile.html].map(pathOf);
  for (const path of sample([...paths, ...hostile.unquoted], 40)) {
    expect(await watched.visit(path), path).toEqual([]);
  }
});

test('browsers do not read feeds and text files as pages', async ({ browser, hostile, site }) => {
  await using watched = await WatchedPage.open(browser, { origin: site.url, hasPolicy: false });
  const { page } = watched;
  await page.goto('/blog');
  for (const [path, type] of [
    ['/blog/rss.xml', 'application/rss+xml'],
    ['/blog/atom.xml', 'application/atom+xml'],
    ['/blog/feed.json', 'application/feed+json'],
    ['/llms.txt', 'text/plain'],
    ['/api/posts', 'application/json'],
    ['/api/search?q=alert', 'application/json'],
    ...hostile.bodies.map(({ slug }) => [`/blog/${slug}.md`, 'text/markdown']),
  ] as const) {
    const response = await page.request.get(path);
    expect(response.headers(), path).toMatchObject({
      'content-type': expect.stringContaining(type),
      'x-content-type-options': 'nosniff',
    });
  }
  const parsed = await page.evaluate(async () => {
    const feeds = ['/blog/rss.xml', '/blog/atom.xml'].map(async (path) => {
      const text = await (await fetch(path)).text();
      const xml = new DOMParser().parseFromString(text, 'application/xml');
      const names = [...xml.querySelectorAll('*')].map(({ localName }) => localName);
      const texts = [...xml.querySelectorAll('*')].map(({ textContent }) => textContent ?? '');
      const html = texts.filter((_, index) => /^(?:encoded|content)$/.test(names[index] ?? ''));
      return { error: xml.querySelector('parsererror')?.textContent ?? null, names, html };
    });
    const json = await (await fetch('/blog/feed.json')).json();
    const items = json.items.map((item: { content_html: string }) => item.content_html);
    return { feeds: await Promise.all(feeds), items: items as string[] };
  });
  expect(parsed.feeds.map(({ error }) => error)).toEqual([null, null]);
  const policy = "default-src 'self'";
  for (const html of [...parsed.feeds.map((feed) => feed.html), parsed.items]) {
    expect(html).toHaveLength(limits.latestPosts);
    const pages = html.map((each) => ({ html: each, policy }));
    expect((await page.evaluate(findHostile, pages)).flat()).toEqual([]);
  }
  for (const path of ['/blog/rss.xml', '/blog/atom.xml', '/llms.txt']) {
    await page.goto(path);
    expect(await watched.events(path), path).toEqual([]);
  }
});

for (const { name, hasPolicy } of policies) {
  test(`nothing executes for writers ${name}`, async ({ browser, hostile, site }) => {
    const { author: storageState, bodies } = hostile;
    const options = { origin: site.url, hasPolicy, storageState };
    await using watched = await WatchedPage.open(browser, options);
    const { page } = watched;
    // The script of the list creates these cards.
    await page.goto('/blog');
    const more = page.locator('#more-posts');
    const cards = page.locator('#posts article .post-controls');
    const all = hostile.titles.length + bodies.length;
    for (let count = 20; count < all; count += 20) {
      await expect(cards).toHaveCount(count);
      await more.click();
    }
    await expect(cards).toHaveCount(all);
    expect(await watched.look('/blog')).toEqual([]);

    const preview = previewOf(page);
    for (const { slug, numbers } of sample(bodies, 5)) {
      const path = `/blog/editor/${slug}`;
      await page.goto(path);
      await expect(contentEditor(page)).toContainText(`before ${numbers[0]}`);
      await expect(preview.getByText(`after ${numbers.at(-1)}`, { exact: true })).toHaveCount(1);
      expect(await watched.look(path), path).toEqual([]);
      const frame = page.frames().find((each) => each.url().endsWith('/api/preview-frame'));
      expect(await frame?.evaluate(findHostile, null), `preview of ${slug}`).toEqual([[]]);
    }

    const history = `/blog/editor/${hostile.changed.slug}/history`;
    for (const query of ['', '?version=2', '?version=1&with=current']) {
      expect(await watched.visit(history + query), query).toEqual([]);
      if (query) await expect(page.locator('.diff ins').first()).toBeAttached();
    }
    for (const { slug, theirs, yours } of hostile.conflicts) {
      const path = `/blog/editor/${slug}`;
      await page.goto(path);
      await page.getByRole('button', { name: 'Restore' }).click();
      await saveButton(page).click();
      await page.locator('#edit-conflict').waitFor();
      // Before that, the browser asks whether to leave the page.
      await expect(editorStatus(page)).toContainText('Saved, not published');
      expect(await watched.look(path), path).toEqual([]);
      const shown = await page.locator('#edit-conflict label').allTextContents();
      const texts = shown.map(onOneLine).join('\n');
      for (const number of [...theirs, ...yours]) {
        expect(texts, `${path}: ${number}`).toContain(onOneLine(payloads[number] ?? ''));
      }
    }
    expect(await watched.visit('/blog/trash')).toEqual([]);
    const deleted = await page.locator('main h2').allTextContents();
    expect(deleted.map(onOneLine)).toEqual(expect.arrayContaining(hostile.trashed));
    const shared = await page.request.post(`/api/posts/${hostile.changed.id}/draft-links`, {
      data: { lifetime: 'P1D' },
      headers: { Origin: site.url },
    });
    const { pathname } = new URL((await shared.json()).url);
    expect(await watched.visit(pathname)).toEqual([]);
  });
}
