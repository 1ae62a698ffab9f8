import { expect, test } from '../support/pages-test.ts';
import { signUp } from '../support/site-test.ts';

test.describe('the theme is set before the first paint', () => {
  for (const [stored, system, expected] of [
    ['light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
    ['system', 'dark', 'dark'],
    ['system', 'light', 'light'],
    [null, 'dark', 'dark'],
    ['nonsense', 'light', 'light'],
  ] as const) {
    test(`${stored} on a ${system} system is ${expected}`, async ({ newVisitor }) => {
      const page = await newVisitor({ colorScheme: system });
      await page.addInitScript((theme) => {
        if (theme !== null) localStorage.setItem('theme', theme);
        // Before the body is parsed nothing is painted.
        new MutationObserver((_, observer) => {
          if (!document.body) return;
          document.documentElement.dataset['classAtBody'] = document.documentElement.className;
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      }, stored);
      await page.goto('/');
      const root = page.locator('html');
      await expect(root).toHaveAttribute('data-class-at-body', expected);
      await expect(root).toHaveCSS('color-scheme', expected);
    });
  }
});

test('redirects users from the sign-in page and visitors from the editor', async ({
  page,
  site,
  email,
}) => {
  await page.goto('/blog/editor');
  await page.waitForURL('/blog');
  await signUp(page, site, email);
  await page.goto('/auth');
  await page.waitForURL('/blog');
});

test('an unknown path is a 404 with a link home', async ({ page, pageErrors }) => {
  pageErrors.expect(/status of 404/, '/no/such/page');
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('no page overflows, and every page blocks inline scripts and styles', {
  tag: '@phone',
}, async ({ page, pages, pageErrors }) => {
  test.setTimeout(pages.length * 5_000);
  pageErrors.expect(/status of 404/, '/404');
  for (const { path } of pages) {
    const response = await page.goto(path);
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect([path, scroll]).toEqual([path, client]);
    const header = response?.headers()['content-security-policy'];
    expect([path, header]).toEqual([path, "frame-ancestors 'none'"]);
    const element = page.locator('head > meta[http-equiv="content-security-policy"]');
    const policy = await element.getAttribute('content');
    expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'self'")]);
    expect([path, policy]).toEqual([path, expect.not.stringContaining('unsafe-inline')]);
  }

  // Injected scripts and styles are blocked.
  const violated = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) =>
          resolve(event.effectiveDirective),
        );
        const script = document.createElement('script');
        script.textContent = 'document.title = "taken over"';
        document.body.append(script);
      }),
  );
  expect(await violated).toBe('script-src-elem');
  expect(await page.title()).not.toBe('taken over');
  pageErrors.expect(/Content Security Policy/);
});
