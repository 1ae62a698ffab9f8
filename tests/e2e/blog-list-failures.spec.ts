import { endSessions, signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { cardOf, listLoaded, writePost } from '../support/posts.ts';
import { expect, test } from '../support/site-test.ts';

test('a list shows skeleton cards while it loads, and the samples after an error', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500/, '/api/posts?drafts=true');
  await signInNewUser(page, site, email);
  const title = `Retried by ${email}`;
  await writePost(page, site, { title, slug: `retried-${email.slice(4, 12)}` });
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/posts?drafts=true', async (route) => {
    await answer.promise;
    await route.fulfill({ status: 500 });
  });
  await page.goto('/blog?drafts=true');
  await expect(page.locator('.skeleton')).toHaveCount(3);
  await expect(page.getByText('No blog posts yet')).toBeHidden();
  expect(await findingsInFullRun(page, 'loading')).toEqual([]);
  answer.resolve();
  await expect(page.locator('.toast')).toContainText(
    'Error loading blog postsPlease try again later',
  );
  await expect(page.locator('#posts article')).toHaveCount(2);
  await expect(cardOf(page, 'Voice AI')).toHaveCount(1);
  const copies = page.locator('#posts article').getByRole('link', { name: 'Edit a copy' });
  await expect(copies).toHaveCount(2);
  await expect(cardOf(page, 'Voice AI').getByRole('link', { name: 'Edit a copy' })).toHaveAttribute(
    'href',
    /^\/blog\/editor\/.*voice/,
  );
  expect(await findingsInFullRun(page, 'failed')).toEqual([]);

  const again = page.getByRole('button', { name: 'Try again' });
  const failedAgain = page.waitForResponse('**/api/posts?drafts=true');
  await again.press('Enter');
  await failedAgain;
  await expect(again).toBeFocused();

  await page.unroute('**/api/posts?drafts=true');
  await again.press('Enter');
  await expect(again).toBeHidden();
  await listLoaded(page);
  await expect(cardOf(page, title).getByRole('link', { name: title })).toBeFocused();
});

test('a failed change shows an error and leaves the card unchanged', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED/);
  const title = `Kept by ${email}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title, slug: `kept-${email.slice(4, 12)}`, published: true });
  await page.goto('/blog');
  const card = cardOf(page, title);
  await page.route('**/api/posts/*', (route) => route.abort('failed'));

  await card.getByRole('button', { name: 'Unpublish' }).click();
  await expect(page.locator('.toast')).toContainText('ErrorFailed to update blog post');
  await card.getByRole('button', { name: 'Delete', exact: true }).click();
  await card.getByRole('button', { name: 'Delete post' }).click();
  await expect(page.locator('.toast')).toContainText('ErrorFailed to delete blog post');
  await expect(card.getByRole('button', { name: 'Unpublish' })).toBeEnabled();
  expect(await findingsInFullRun(page, 'the list, with an error')).toEqual([]);
});

test('an ended session is explained, with a link that returns here', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await writePost(page, site, { title: `Mine, ${email}`, slug: `mine-${email.slice(4, 12)}` });
  await page.goto('/blog?drafts=true');
  await expect(cardOf(page, `Mine, ${email}`)).toBeVisible();
  endSessions(site, email);

  await page.reload();

  await expect(page.getByText('You are signed out')).toBeVisible();
  await expect(cardOf(page, `Mine, ${email}`)).toHaveCount(0);
  const link = page.locator('.toast').getByRole('link', { name: 'Sign In' });
  await expect(link).toHaveAttribute('href', /next=%2Fblog%3Fdrafts%3Dtrue/);
});

test('a session that ended while the page was open is explained by the first change', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/status of 401/);
  const title = `Ended, ${email}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title, slug: `ended-${email.slice(4, 12)}`, published: true });
  await page.goto('/blog');
  const button = cardOf(page, title).getByRole('button', { name: 'Unpublish' });
  await button.waitFor();
  endSessions(site, email);

  await button.click();

  await expect(page.getByText('You are signed out')).toBeVisible();
  await expect(button).toBeHidden();
});
