import { accountMessages } from '@app/contract/accounts/messages';
import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { accountMenu } from '../support/account-menu.ts';
import { expect, idle, test } from '../support/site-test.ts';

const recordReact = (page: Page): string[] => {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (/\/react\.[^/]*\.js$/.test(request.url())) urls.push(request.url());
  });
  return urls;
};

test('pages load no React for signed-in users before an interaction', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const slug = `plain-${email.slice(4, 12)}`;
  await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { title: 'Plain', content: 'Text.', slug, published: true },
  });
  const react = recordReact(page);
  for (const path of ['/about', '/contact', '/blog', `/blog/${slug}`]) {
    await page.goto(path);
    await expect(accountMenu(page).avatar).toBeVisible();
    if (path.startsWith('/blog')) await expect(page.getByText('Plain').first()).toBeVisible();
    await idle(page);
    expect(react, path).toEqual([]);
  }
});

test('a toast from the previous page loads no React', async ({ page }) => {
  await page.goto('/about');
  await page.evaluate((title) => {
    sessionStorage.setItem('toast', JSON.stringify({ title }));
  }, accountMessages.signOut.done);
  const react = recordReact(page);
  await page.goto('/contact');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  expect(react).toEqual([]);
});
