import { blogMessages } from '@app/contract/blog/messages';
import { signInNewUser } from '../support/account.ts';
import { contentEditor, openNewPost, saveButton } from '../support/post-editor.ts';
import { cardOf, listLoaded, writePost } from '../support/posts.ts';
import { expect, test } from '../support/site-test.ts';

const { title, detail, link } = blogMessages.nameRequired;

test('the editor asks for a name before the first publish, and keeps the text', {
  tag: '@phone',
}, async ({ page, site, email, pageErrors }) => {
  const slug = `nameless-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email, null);
  await openNewPost(page);
  await page.getByLabel('Title').fill('A post by nobody');
  await page.getByLabel('URL Slug').fill(slug);
  await contentEditor(page).fill('Every word of it.');
  await page.getByRole('switch').check();

  pageErrors.expect(/status of 403/);
  await saveButton(page).click();
  const notice = page.getByText(title);
  await expect(notice).toBeVisible();
  await expect(page.getByText(detail)).toBeVisible();
  await expect(contentEditor(page)).toHaveText('Every word of it.');
  await expect(page.getByRole('switch')).toBeChecked();

  const [profile] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: link }).click(),
  ]);
  await profile.getByLabel('Username').fill(`u${email.slice(4, 12)}`);
  await profile.getByLabel('Full Name').fill('Ann Author');
  await profile.getByRole('button', { name: 'Save' }).click();
  await expect(profile.getByText('Profile updated')).toBeVisible();
  await profile.close();

  await saveButton(page).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.locator('.byline .author').first()).toHaveText('Ann Author');
});

test('the publish button asks for a name, with a link to the profile', {
  tag: '@phone',
}, async ({ page, site, email, pageErrors }) => {
  const slug = `nameless-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email, null);
  await writePost(page, site, { title: slug, slug });
  pageErrors.expect(/status of 403/);
  const publish = { name: 'Publish', exact: true };
  const toast = page.locator('.toast');

  await page.goto('/blog?drafts=true');
  await listLoaded(page);
  await cardOf(page, slug).getByRole('button', publish).click();
  await expect(toast).toContainText(detail);
  await expect(toast.getByRole('link', { name: link })).toHaveAttribute('href', '/profile');

  await page.goto(`/blog/${slug}`);
  await page.getByRole('button', publish).click();
  await expect(toast.getByRole('link', { name: link })).toHaveAttribute('href', '/profile');
});
