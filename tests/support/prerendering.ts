import { findHeadlessShell } from '@app/tasks/browser';
import { chromium, expect } from 'playwright/test';
import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer-core';
import { launchOptions } from './browser.ts';

declare global {
  interface Document {
    readonly prerendering: boolean;
  }
  interface PerformanceEntry {
    readonly activationStart?: number;
  }
}

/**
 * A browser that activates prerendered pages. Playwright's does not, because Chromium disables
 * prerendering for debuggers that attach to pages instead of tabs
 * ("PrerenderingDisabledByDevTools").
 */
export const launchPrerenderingBrowser = (): Promise<Browser> =>
  puppeteer.launch({
    executablePath:
      findHeadlessShell() ?? launchOptions.executablePath ?? chromium.executablePath(),
    args: [...(launchOptions.args ?? [])],
    protocolTimeout: 0,
    defaultViewport: { width: 1_280, height: 800 },
  });

/** Attaches to prerendered pages and lists those that are loaded, by path. */
async function watchPrerendering(tab: Page): Promise<() => Promise<string[]>> {
  const devtools = await tab.browser().target().createCDPSession();
  const { targetInfos } = await devtools.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const shown = await tab.evaluate(() => location.href);
  const target = targetInfos.find(({ url }) => url === shown);
  if (!target) throw new Error(`no tab shows ${shown}`);
  const { targetId } = target;
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: true });
  const connection = devtools.connection();
  const tabSession = connection?.session(sessionId);
  const pages: CDPSession[] = [];
  tabSession?.on('Target.attachedToTarget', (attached) => {
    const session = connection?.session(attached.sessionId);
    if (session && attached.targetInfo.subtype === 'prerender') pages.push(session);
  });
  await tabSession?.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: true,
  });

  return async () => {
    const expression = 'document.readyState === "complete" ? location.pathname : ""';
    const replies = await Promise.all(
      pages.map((page) => page.send('Runtime.evaluate', { expression })),
    );
    return replies.map(({ result }) => String(result.value));
  };
}

export async function prerender(tab: Page, link: string): Promise<string[]> {
  const path = await tab.$eval(link, (element) => (element as HTMLAnchorElement).pathname);
  const prerendered = await watchPrerendering(tab);
  await expect(async () => {
    // If the page was still scrolling, it notices the link only when the pointer moves again.
    await tab.mouse.move(0, 0);
    await tab.hover(link);
    await expect.poll(prerendered, { timeout: 5_000 }).toContain(path);
  }).toPass();
  return prerendered();
}

export async function follow(tab: Page, link: string): Promise<boolean> {
  const path = await tab.$eval(link, (element) => (element as HTMLAnchorElement).pathname);
  await tab.click(link);
  // Calls fail while the tab's page is replaced.
  await expect(async () => {
    const [pathname, state] = await tab.evaluate(() => [location.pathname, document.readyState]);
    expect([pathname, state]).toEqual([path, 'complete']);
  }).toPass();
  return tab.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry?.activationStart ?? 0) > 0;
  });
}
