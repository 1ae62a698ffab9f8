import type { PostSaved } from '@app/contract/blog/posts';
import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import { contentEditor } from '../support/post-editor.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, test } from '../support/site-test.ts';

const openDraft = async (page: Page, site: SiteProcess, email: string, content: string) => {
  const slug = `shared-draft-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  const reply = await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { title: 'Not yet public', slug, content },
  });
  expect(reply.status()).toBe(201);
  const { post } = (await reply.json()) as PostSaved;
  await page.goto(`/blog/editor/${slug}`);
  return { post, share: page.getByRole('region', { name: 'Share the draft' }) };
};

test('a writer shares a draft with people without an account, and revokes the link', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email, newVisitor, pageErrors }) => {
  const { share } = await openDraft(page, site, email, 'What we plan for **winter**.');
  await contentEditor(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(' Unsaved.');

  await share.getByLabel('Works for').selectOption('30 days');
  await share.getByRole('button', { name: 'Create link' }).click();
  const link = share.getByRole('textbox', { name: 'Link' });
  await expect(link).toBeFocused();
  const url = await link.inputValue();
  await expect(share.getByRole('listitem')).toHaveCount(1);
  await expect(contentEditor(page)).toContainText('Unsaved.');
  expect(await findingsInFullRun(page, 'shared')).toEqual([]);

  const visitor = await newVisitor();
  const response = await visitor.goto(url);
  expect(response?.headers()['referrer-policy']).toBe('no-referrer');
  await expect(visitor.getByRole('heading', { name: 'Not yet public' })).toBeVisible();
  await expect(visitor.getByRole('note')).toContainText('This is a draft');
  await expect(visitor.getByText('What we plan for winter.')).toBeVisible();
  await expect(visitor.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(visitor.getByText('Unsaved.')).toHaveCount(0);
  await expect(visitor.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expectToFit(visitor);
  expect(await findingsInFullRun(visitor, 'draft')).toEqual([]);

  await share.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.locator('.toast')).toContainText('Link revoked');
  await expect(share.getByRole('listitem')).toHaveCount(0);
  await expect(contentEditor(page)).toContainText('Unsaved.');
  pageErrors.expect(/status of 404/);
  expect((await visitor.goto(url))?.status()).toBe(404);
  await expect(visitor.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await expect(visitor.getByText('Ask the person who sent it for a new one.')).toBeVisible();
});

test('a new link is shown when the list of links cannot be loaded', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { share } = await openDraft(page, site, email, 'Shown once.');
  await page.route('**/blog/editor/*', (route) => route.abort('failed'));
  pageErrors.expect(/ERR_FAILED/);
  await share.getByRole('button', { name: 'Create link' }).click();
  const link = share.getByRole('textbox', { name: 'Link' });
  await expect(link).toHaveValue(/\/blog\/draft\//);
  await expect(link).toBeFocused();
  await expect(share.getByRole('button', { name: 'Create link' })).toBeEnabled();
});

test('the sharing section of a published post disappears with its last link', {
  tag: '@full',
}, async ({ page, site, email }) => {
  const { post, share } = await openDraft(page, site, email, 'Published later.');
  await share.getByRole('button', { name: 'Create link' }).click();
  await expect(share.getByRole('listitem')).toHaveCount(1);
  const reply = await page.request.patch(`/api/posts/${post.id}`, {
    headers: { Origin: site.url },
    data: { published: true },
  });
  expect(reply.status()).toBe(200);
  await page.reload();
  await expect(share).toHaveCount(0);
  const links = page.getByRole('region', { name: 'Links to the draft' });
  await links.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.locator('.toast')).toContainText('Link revoked');
  await expect(links).toHaveCount(0);
});
