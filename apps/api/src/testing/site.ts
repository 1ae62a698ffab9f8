import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { renderFile } from '../publishing/page-files.ts';
import { listFiles, siteFolder } from '../publishing/release.ts';
import { fileOf } from '../server/site-files.ts';
import { makeDataDir, rendererWith, shownAt } from './blog.ts';
import { makeTestApp, type TestApp } from './test-app.ts';
import { makeRenderer } from './test-renderer.ts';
import { until } from './until.ts';

/** The blog's published files by name, once all background jobs are done. */
export async function publishedPages({ dataDir, deps }: TestApp): Promise<Record<string, string>> {
  await deps.publisher.idle();
  const folder = siteFolder(dataDir);
  const names = (await listFiles(folder)).filter(isOfBlog).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    ),
  );
}

/** The blog's files as the database requires them. */
export async function wantedPages({ deps }: TestApp): Promise<Record<string, string>> {
  const wanted: Record<string, string> = {};
  for (const path of [...(await deps.publisher.pages.all())].sort()) {
    const page = await deps.publisher.pages.at(path);
    if (!page) continue;
    const { bytes } = await renderFile(deps.renderer.render, path, page);
    wanted[fileOf(path) ?? ''] = bytes.toString();
  }
  return wanted;
}

const isOfBlog = (name: string): boolean =>
  /^(?:blog\b|sitemap\.xml|llms\.txt)/.test(name) && !/\.(?:br|gz)$/.test(name);

export async function served({ deps }: TestApp, path: string): Promise<string | undefined> {
  const file = await deps.siteFiles.load(path);
  return file?.representations.identity.body.toString();
}

export async function slugsOn(testApp: TestApp, path: string): Promise<string[]> {
  const page = await shownAt(testApp, path);
  return page && 'posts' in page ? page.posts.map(({ slug }) => slug) : [];
}

export async function monthsOn(testApp: TestApp, path: string): Promise<string[]> {
  const page = await shownAt(testApp, path);
  return page && 'months' in page ? page.months : [];
}

/** Lists that show each post of March 2026. */
export const lists = [
  '/blog',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/blog/feed.json',
  '/llms.txt',
  '/blog/archive/2026-03',
  '/blog/sitemap-2026-03.xml',
];
/** The former URL of the feed: a file for static hosts, and a redirect on the server. */
export const oldFeed = '/blog/feed.xml';

/** Resolves when the redirect pages of old slugs are published, too. */
export const allPublished = ({ deps: { publisher } }: TestApp) =>
  until(() => publisher.depth() === 0);

/** The target of a redirect, or the status of any other response. */
export async function redirectOf(testApp: TestApp, path: string, browser = testApp.browser()) {
  expect(await served(testApp, path), `${path} is not served as a file`).toBeUndefined();
  const response = await browser.get(path);
  return response.status === 301 ? response.headers.get('Location') : response.status;
}

/** An app with fake timers and a renderer that throws for the paths in `failing`. */
export async function makeFailingApp() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failing = new Set<string>();
  const renderer = rendererWith(makeRenderer(makeDataDir()), (path) => {
    if (failing.has(path)) throw new Error(`no page at ${path}`);
  });
  const testApp = await makeTestApp({ publishes: true, renderer });
  onTestFinished(() => testApp[Symbol.asyncDispose]());
  return { testApp, failing };
}
