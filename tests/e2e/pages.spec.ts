import { signInNewUser } from '../support/account.ts';
import { expect, test } from '../support/site-test.ts';

test('the theme is set before the first paint', { tag: '@full' }, async ({ page }) => {
  await page.addInitScript(() => {
    // Nothing is painted before the body is parsed.
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      document.documentElement.dataset['classAtBody'] = document.documentElement.className;
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/');
  const root = page.locator('html');
  for (const [stored, colorScheme, expected] of [
    ['light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
    ['system', 'dark', 'dark'],
    ['system', 'light', 'light'],
    [null, 'dark', 'dark'],
    ['nonsense', 'light', 'light'],
  ] as const) {
    await test.step(`${stored} on a ${colorScheme} system is ${expected}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.evaluate((theme) => {
        if (theme === null) localStorage.removeItem('theme');
        else localStorage.setItem('theme', theme);
      }, stored);
      await page.reload();
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
  await signInNewUser(page, site, email);
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

test('paths that no post can have do not cause server errors', {
  tag: '@full',
}, async ({ page, site, email }) => {
  const names = ['%00', '%01', '%0A', '%5C', '%2F', '%25', '%FF', '%', 'Some.md', '%00.md', '[x]'];
  const statuses = async (suffix: string) =>
    Promise.all(
      ['/blog/', '/blog/editor/', '/blog/draft/', '/blog/tag/', '/'].flatMap((folder) =>
        names.map(async (name) => {
          const path = `${folder}${name}${suffix}`;
          const reply = await page.request.get(site.url + path, {
            maxRedirects: 0,
            // While the machine stalls, the server can close connections that are about to be used.
            maxRetries: 3,
          });
          return [path, reply.status() < 500] as const;
        }),
      ),
    );
  const all = async () => [...(await statuses('')), ...(await statuses('/history'))];
  const failed = ([, isAnswered]: readonly [string, boolean]) => !isAnswered;
  expect((await all()).filter(failed)).toEqual([]);
  await signInNewUser(page, site, email);
  expect((await all()).filter(failed)).toEqual([]);
  expect((await page.request.get(`${site.url}/blog/%5C`)).status()).toBe(404);
});

test('injected scripts are blocked', { tag: '@full' }, async ({ page, pageErrors }) => {
  await page.goto('/');
  pageErrors.expect(/Content Security Policy/);
  const violated = await page.evaluate(
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
  expect(violated).toBe('script-src-elem');
  expect(await page.title()).not.toBe('taken over');
});
