import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import { writePost } from '../support/posts.ts';
import { expect, test } from '../support/site-test.ts';

const expectStatus = (page: Page, path: string, status: number): Promise<void> =>
  expect.poll(async () => (await page.request.get(path)).status()).toBe(status);

const confirmDeletion = async (page: Page, within = page.getByRole('article')) => {
  await within.getByRole('button', { name: 'Delete', exact: true }).click();
  await within.getByRole('button', { name: 'Delete post' }).click();
};

test('a post deleted in the list returns with Undo', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
}) => {
  const title = `Undone by ${email}`;
  const slug = `undone-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title, slug, published: true });
  await page.goto('/blog');
  const card = page.getByRole('article').filter({ hasText: title });
  await confirmDeletion(page, card);
  await expect(card).toHaveCount(0);
  await expectStatus(page, `/blog/${slug}`, 404);
  const report = new RegExp(`Off the site in [\\d,]+ ms\\. .*Removed: /blog/${slug}`);
  await expect(page.locator('.toast')).toContainText(report);
  expect(await findingsInBothThemes(page, 'deleted')).toEqual([]);

  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();

  await expect(page.locator('.toast')).toContainText('Post restored');
  await expect(card).toBeVisible();
  await expect(card.locator('.title')).toBeFocused();
  await expectStatus(page, `/blog/${slug}`, 200);
});

test('the focus stays in the list when its posts come and go', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  const title = `Sketch by ${email}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title, slug: `sketch-${email.slice(4, 12)}` });
  await page.goto('/blog?drafts=true');
  const card = page.getByRole('article').filter({ hasText: title });
  await confirmDeletion(page, card);
  await expect(page.locator('.toast')).toContainText('Post deleted');
  const others = page.getByRole('article').filter({ hasNotText: title });
  await expect(others.locator('.title:focus').or(page.locator('h1:focus'))).toBeVisible();
  await page.getByRole('switch').click();
  await page.getByRole('button', { name: 'Undo' }).focus();

  await page.keyboard.press('Enter');

  await expect(page.locator('.toast')).toContainText('Post restored');
  // The list without drafts does not contain it.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a post deleted on its page returns with Undo, at its own URL', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  const slug = `taken-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title: 'First', slug, published: true });
  await page.goto(`/blog/${slug}`);
  await confirmDeletion(page);
  await page.waitForURL('/blog');
  const toast = page.locator('.toast');
  await expect(toast).toContainText('Post deleted');
  await expect(toast).toContainText(`Removed: /blog/${slug}`);
  await expectStatus(page, `/blog/${slug}`, 404);

  await toast.getByRole('button', { name: 'Undo' }).click();

  await expect(toast).toContainText('Post restored');
  await expectStatus(page, `/blog/${slug}`, 200);
});

test('the heading gets the focus after a toast if there is no element to return to', {
  tag: '@full',
}, async ({ page, site, email }) => {
  const slug = `dismissed-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title: 'Dismissed', slug, published: true });
  await page.goto(`/blog/${slug}`);
  await confirmDeletion(page);
  await page.waitForURL('/blog');
  const dismiss = page.locator('.toast').getByRole('button', { name: 'Dismiss' });
  await dismiss.focus();

  await dismiss.press('Enter');

  await expect(page.locator('.toast')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a failed undo shows an error', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED/);
  const title = `Not undone by ${email}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title, slug: `fails-${email.slice(4, 12)}`, published: true });
  await page.goto('/blog');
  const card = page.getByRole('article').filter({ hasText: title });
  await confirmDeletion(page, card);
  await page.route('**/restore', (route) => route.abort('failed'));

  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();

  await expect(page.locator('.toast')).toContainText('The post could not be restored.');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeFocused();
});

test('the trash restores posts and deletes them forever', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
}) => {
  const own = email.slice(4, 12);
  await signInNewUser(page, site, email);
  await page.goto('/blog/trash');
  await expect(page.getByText('Deleted posts can be restored for 30 days.')).toBeVisible();
  await writePost(page, site, { title: `Draft ${own}`, slug: `draft-${own}` });
  await writePost(page, site, { title: `Post ${own}`, slug: `post-${own}`, published: true });
  for (const slug of [`draft-${own}`, `post-${own}`]) {
    const { id } = await (await page.request.get(`/api/posts/${slug}`)).json();
    await page.request.delete(`/api/posts/${id}`, { headers: { Origin: site.url } });
  }
  await page.reload();
  const item = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await expect(item(`Post ${own}`)).toContainText('Deleted by you on');

  await item(`Post ${own}`).getByRole('button', { name: 'Restore' }).click();
  await expect(page.locator('.toast')).toContainText(`“Post ${own}” is back`);
  await expect(page.locator('.toast')).toContainText('It is published, as it was.');
  await expect(item(`Post ${own}`)).toHaveCount(0);

  const draft = item(`Draft ${own}`);
  await draft.getByRole('button', { name: 'Delete forever' }).click();
  await draft.getByRole('button', { name: 'Keep it' }).click();
  await draft.getByRole('button', { name: 'Delete forever' }).click();
  await draft.getByRole('dialog').getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.locator('.toast')).toContainText('The post was deleted forever.');
  await expect(draft).toHaveCount(0);

  await page.goto(`/blog/post-${own}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Post ${own}`);
});

test('the trash has no accessibility findings and is not indexed', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email }) => {
  const own = email.slice(4, 12);
  await signInNewUser(page, site, email);
  await writePost(page, site, {
    title: 'A very long title '.repeat(8),
    slug: `long-${own}`,
    published: true,
  });
  const card = page.locator('article').filter({ has: page.locator(`[href="/blog/long-${own}"]`) });
  await page.goto('/blog');
  await confirmDeletion(page, card);
  await page.goto('/blog/trash');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  expect(await findingsInBothThemes(page, 'the trash')).toEqual([]);
  await expectToFit(page);
});
