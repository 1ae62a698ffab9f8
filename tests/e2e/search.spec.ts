import { searchTexts } from '@app/site/blog/search';
import { signInNewUser } from '../support/account.ts';
import { expect, test } from '../support/site-test.ts';

const title = 'Zebra <img src=x onerror="window.ran = 1"> & crossing';

test.beforeEach(async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const data = { title, content: 'A **zebra** walks', slug: email.split('@')[0], published: true };
  const saved = await page.request.post('/api/posts', { data, headers: { Origin: site.url } });
  expect(saved.status()).toBe(201);
});

test('posts are found while typing', { tag: '@phone-full' }, async ({ page, pageErrors }) => {
  await page.goto('/blog');
  await page.getByRole('link', { name: 'Search all posts' }).click();
  const box = page.getByRole('searchbox');
  await box.pressSequentially('zebr');
  const link = page.getByRole('link', { name: title }).first();
  await expect(link).toBeVisible();
  await expect(page.locator('#search-results mark').first()).toHaveText('Zebra');
  await expect(page.getByRole('status').filter({ hasText: /found/ })).toBeVisible();
  await expect(page).toHaveURL(/\?q=zebr$/);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);

  await box.fill('zbera');
  await expect(page.getByText('Results for “zebra”:')).toBeVisible();
  await box.fill('nothing-like-that');
  await expect(page.getByText('No posts found. Try fewer or other words.')).toBeVisible();
  await expect(page.locator('#search-results')).toBeHidden();
  await box.fill('z');
  await expect(page.getByText('Type at least two letters or digits.')).toBeVisible();
  await box.fill('');
  await expect(page.locator('#search-status')).toBeEmpty();
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('Type at least two letters or digits.')).toBeVisible();
  await expect(box).toBeFocused();

  await page.route('/api/search?*', (route) => route.abort());
  pageErrors.expect(/ERR_FAILED/);
  await box.fill('zebra');
  await expect(page.getByText("We couldn't reach the server. Please try again.")).toBeVisible();
  await page.unroute('/api/search?*');
  await box.press('Enter');
  await expect(link).toBeVisible();
  await box.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.locator('#search-results a').first()).toBeFocused();
});

test('a query that was typed before the script loaded is searched', { tag: '@full' }, async ({
  page,
}) => {
  const { promise: isTyped, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await isTyped;
    await route.continue();
  });
  await page.goto('/blog/search', { waitUntil: 'commit' });
  await page.getByRole('searchbox').fill('zebr');
  release();
  await expect(page.getByRole('link', { name: title }).first()).toBeVisible();
  await expect(page).toHaveURL(/\?q=zebr$/);
});

test('posts are found without scripts', async ({ newVisitor, site }) => {
  const page = await newVisitor({ javaScriptEnabled: false });
  await page.goto(`${site.url}/blog/search`);
  for (const tooShort of ['', '?']) {
    await page.getByRole('searchbox').fill(tooShort);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page.getByRole('status')).toHaveText(searchTexts.tooShort);
  }
  await page.getByRole('searchbox').fill('zebra cross');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('searchbox')).toHaveValue('zebra cross');
  await expect(page.getByRole('link', { name: title }).first()).toBeVisible();
  await expect(page.locator('mark').first()).toHaveText('Zebra');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
});
