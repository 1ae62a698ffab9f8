import { contentProblems } from '@app/contract/blog/post-content';
import type { PostSaved } from '@app/contract/blog/posts';
import { breakBodyOf, signInNewUser } from '../support/account.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { contentEditor, isBesideText, previewOf } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

test('the editor and its posts pass axe', { tag: '@phone-full' }, async ({ page, site, email }) => {
  const slug = `look-${email.slice(4, 12)}`;
  const found: string[] = [];
  const look = async (where: string) => {
    found.push(...(await findingsInBothThemes(page, where)));
  };

  await signInNewUser(page, site, email);
  await page.goto('/blog');
  await look('the list');

  await page.getByRole('link', { name: 'New Post' }).click();
  await page.waitForURL('/blog/editor');
  // Until the editor's script has loaded, the browser validates the form.
  await expect(page.locator('main astro-island')).not.toHaveAttribute('ssr');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Title is required')).toBeVisible();
  await look('the editor, with its errors');

  await page.getByLabel('Title').fill('A post to look at');
  await page.getByLabel('URL Slug').fill(slug);
  await contentEditor(page).fill('## At night\n\nShe **answers**.');
  if (!isBesideText(page)) await page.getByRole('tab', { name: 'Preview' }).click();
  await expect(previewOf(page).locator('.post-body strong')).toBeVisible();
  await look('the editor’s preview');

  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`/blog/${slug}`);
  await look('a draft');

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Post published')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Delete “.+”\?$/ })).toBeVisible();
  await look('a post that is about to be deleted');

  expect(found).toEqual([]);
});

test('an unrenderable post shows its problem to authors and stays editable', {
  tag: '@full',
}, async ({ page, site, email }) => {
  const slug = `broken-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  const post = { title: 'A post out of a backup', slug, content: 'Text' };
  const saved = await page.request.post('/api/posts', {
    data: post,
    headers: { Origin: site.url },
  });
  expect(saved.status()).toBe(201);
  breakBodyOf(site, slug, contentProblems.tooComplex);

  await page.goto(`/blog/${slug}`);
  const panel = page.locator('#unrenderable');
  await expect(panel).toContainText('This post cannot be displayed');
  await expect(panel).toContainText(contentProblems.tooComplex);
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible();
  expect(await findingsInBothThemes(page, 'a post that cannot be displayed')).toEqual([]);

  // The next tests use the same server and expect no errors in its log.
  const { id } = ((await saved.json()) as PostSaved).post;
  const deleted = await page.request.delete(`/api/posts/${id}`, { headers: { Origin: site.url } });
  expect(deleted.status()).toBe(200);
});
