import type { Browser, Page } from 'puppeteer-core';
import { password } from '../support/account.ts';
import { waitForConfirmationLink } from '../support/mailbox.ts';
import { follow, launchPrerenderingBrowser, prerender } from '../support/prerendering.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { test as base, expect } from '../support/site-test.ts';

const test = base.extend<{ tab: Page }>({
  tab: async ({ site }, use) => {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(0);
    await tab.goto(`${site.url}/about`);
    await use(tab);
    const devtools = await tab.createCDPSession();
    const { origin } = new URL(site.url);
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    // The first page is Chromium's own, and keeps it running.
    for (const opened of (await browser.pages()).slice(1)) await opened.close();
  },
});

/** Shared, because Chromium starts slowly. Tests clear what they stored. */
let browser: Browser;

test.beforeAll(async () => {
  browser = await launchPrerenderingBrowser();
});

test.afterAll(() => browser.close());

const rootClass = (tab: Page) => tab.$eval('html', (root) => root.className);

const callsWhilePrerendering = (tab: Page) =>
  tab.evaluate(() => {
    const [{ activationStart = 0 } = {}] = performance.getEntriesByType('navigation');
    return performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.includes('/api/') && startTime < activationStart)
      .map(({ name }) => name);
  });

async function signIn(tab: Page, site: SiteProcess, email: string): Promise<void> {
  const send = (method: string, path: string, body: object) =>
    tab.evaluate(
      async (how, url, text) => {
        const headers = { 'Content-Type': 'application/json' };
        return (await fetch(url, { method: how, headers, body: text })).ok;
      },
      method,
      path,
      JSON.stringify(body),
    );
  const post = (path: string, body: object) => send('POST', path, body);
  expect(await post('/api/auth/sign-up', { email, password })).toBe(true);
  const link = new URL(await waitForConfirmationLink(site.dataDir, email));
  const token = link.searchParams.get('token');
  expect(await post('/api/auth/confirm', { token })).toBe(true);
  expect(await send('PATCH', '/api/profile', { fullName: 'Ann Miller' })).toBe(true);
}

test('a prerendered page shows a theme chosen after prerendering', { tag: '@full' }, async ({
  tab,
}) => {
  await prerender(tab, 'footer a[href="/services"]');
  await tab.click('[popovertarget="theme-menu"]');
  await tab.click('#theme-menu [value="dark"]');

  expect(await follow(tab, 'footer a[href="/services"]')).toBe(true);
  await expect.poll(() => rootClass(tab)).toMatch(/\bdark\b/);
  await tab.waitForSelector('[name="theme"][value="dark"]:checked');
});

test('a page prerendered before a sign-in is shown signed in', async ({ tab, site, email }) => {
  await prerender(tab, 'footer a[href="/blog"]');
  const other = await browser.newPage();
  other.setDefaultTimeout(0);
  await other.goto(`${site.url}/terms`);
  await signIn(other, site, email);
  await tab.bringToFront();

  expect(await follow(tab, 'footer a[href="/blog"]')).toBe(true);
  await expect.poll(() => rootClass(tab)).toMatch(/\bsigned-in\b/);
  await tab.waitForSelector('button#account-avatar', { visible: true });
  await tab.waitForSelector('.post-controls, .card-controls p', { visible: true });
  expect(await callsWhilePrerendering(tab)).toEqual([]);
});

test('a page prerendered before a sign-out is shown signed out', { tag: '@full' }, async ({
  tab,
  site,
  email,
}) => {
  await signIn(tab, site, email);
  await tab.goto(`${site.url}/about`);
  await prerender(tab, 'footer a[href="/blog"]');
  await (await tab.waitForSelector('button#account-avatar', { visible: true }))?.click();
  const logOut = await tab.waitForSelector('#account-menu button', { visible: true });
  await logOut?.click();
  await tab.waitForSelector('html:not(.signed-in)');

  expect(await follow(tab, 'footer a[href="/blog"]')).toBe(true);
  await expect.poll(() => rootClass(tab)).not.toMatch(/\bsigned-in\b/);
  await tab.waitForSelector('footer a[href="/auth"]', { visible: true });
  await expect.poll(() => tab.$$('button#account-avatar, .post-controls')).toEqual([]);
  expect(await callsWhilePrerendering(tab)).toEqual([]);
});

test('a page prerendered before its post was unpublished is not shown', { tag: '@full' }, async ({
  tab,
  site,
  email,
}) => {
  await signIn(tab, site, email);
  const slug = `stale-${email.slice(4, 12)}`;
  await tab.evaluate(
    async (data) => {
      const headers = { 'Content-Type': 'application/json' };
      await fetch('/api/posts', { method: 'POST', headers, body: JSON.stringify(data) });
    },
    { title: 'Stale', slug, content: 'Text', published: true },
  );
  await tab.goto(`${site.url}/blog`);
  const link = `a.title[href="/blog/${slug}"]`;
  const card = `article:has(${link})`;
  await tab.waitForSelector(`${card} .post-controls`, { visible: true });
  await prerender(tab, link);
  await tab.click(`${card} [data-toggle]`);
  await tab.waitForSelector(`${card} .post-status:not([hidden])`);

  await follow(tab, link);
  await tab.waitForSelector('article .post-status', { visible: true });
  const toggle = () => tab.$eval('[data-toggle]', (button) => button.textContent?.trim());
  await expect.poll(toggle).toBe('Publish');
});

test('a prerendered form restores the draft and is sent once', { tag: '@full' }, async ({
  tab,
  site,
}) => {
  await tab.goto(`${site.url}/contact`);
  await tab.type('#contact-name', 'Joan Maker');
  await follow(tab, 'footer a[href="/about"]');
  await prerender(tab, 'footer a[href="/contact"]');

  expect(await follow(tab, 'footer a[href="/contact"]')).toBe(true);
  expect(await callsWhilePrerendering(tab)).toEqual([]);
  const name = () => tab.$eval('#contact-name', (field) => (field as HTMLInputElement).value);
  await expect.poll(name).toBe('Joan Maker');
});

test('personal pages are not prerendered', async ({ tab }) => {
  await tab.hover('footer a[href="/auth"]');
  expect(await prerender(tab, 'footer a[href="/terms"]')).toEqual(['/terms']);
});
