import { signInNewUser } from '../support/account.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a writer shares a draft with people without an account, and revokes the link', {
  tag: '@phone',
}, async ({ page, site, email, newVisitor, pageErrors }) => {
  const slug = `shared-draft-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  const reply = await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { title: 'Not yet public', slug, content: 'What we plan for **winter**.' },
  });
  expect(reply.status()).toBe(201);
  await page.goto(`/blog/editor/${slug}`);
  await contentEditor(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(' Unsaved.');

  const share = page.getByRole('region', { name: 'Share the draft' });
  await share.getByLabel('Works for').selectOption('30 days');
  await share.getByRole('button', { name: 'Create link' }).click();
  const link = share.getByRole('textbox', { name: 'Link' });
  await expect(link).toBeFocused();
  const url = await link.inputValue();
  await expect(share.getByRole('listitem')).toHaveCount(1);
  await expect(contentEditor(page)).toContainText('Unsaved.');
  expect(await findingsInBothThemes(page, 'shared')).toEqual([]);

  const visitor = await newVisitor();
  const response = await visitor.goto(url);
  expect(response?.headers()['referrer-policy']).toBe('no-referrer');
  await expect(visitor.getByRole('heading', { name: 'Not yet public' })).toBeVisible();
  await expect(visitor.getByRole('note')).toContainText('This is a draft');
  await expect(visitor.getByText('What we plan for winter.')).toBeVisible();
  await expect(visitor.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(visitor.getByText('Unsaved.')).toHaveCount(0);
  await expect(visitor.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    await visitor.evaluate(() => innerWidth),
  );
  expect(await findingsInBothThemes(visitor, 'draft')).toEqual([]);

  await share.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.locator('.toast')).toContainText('Link revoked');
  await expect(share.getByRole('listitem')).toHaveCount(0);
  await expect(contentEditor(page)).toContainText('Unsaved.');
  pageErrors.expect(/status of 404/);
  expect((await visitor.goto(url))?.status()).toBe(404);
});
