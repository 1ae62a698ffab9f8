import { type Browser, chromium } from 'playwright/test';
import { launchOptions } from '../support/browser.ts';
import { findPages, type SitePage } from '../support/pages.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

interface Running {
  browser: Browser;
  site: SiteProcess;
  pages: readonly SitePage[];
}

/**
 * Runs the built site on a temporary DATA_DIR, together with a browser, until the work is done.
 * @param paths the pages for the work; none for all
 * @param args for the browser
 */
export async function onBuiltSite(
  paths: readonly string[],
  work: (running: Running) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  const all = await findPages(site.dataDir);
  const unknown = paths.filter((path) => !all.some((page) => page.path === path));
  if (unknown.length > 0) {
    console.error(`There is no page at ${unknown.join(', ')}. The pages are:`);
    for (const { path } of all) console.error(`  ${path}`);
    process.exitCode = 1;
    return;
  }
  const browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), ...args],
  });
  try {
    const pages = paths.length > 0 ? all.filter(({ path }) => paths.includes(path)) : all;
    await work({ browser, site, pages });
  } finally {
    await browser.close();
  }
}
