import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { publishReport } from '@app/site/blog/publish-report';
import { signInNewStaff, signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { contentEditor } from '../support/post-editor.ts';
import { writePost } from '../support/posts.ts';
import { expect, test } from '../support/site-test.ts';

test('the draft badge follows each toggle on the post’s page', {
  tag: '@full',
}, async ({ page, site, email, newVisitor }) => {
  const slug = `shared-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title: 'Shared', slug, published: true });
  const other = await newVisitor();
  await signInNewStaff(other, site, `other-${email}`);
  const badge = other.getByText('Draft', { exact: true });

  await other.goto(`/blog/${slug}`);
  await expect(badge).toBeHidden();
  await other.getByRole('button', { name: 'Unpublish' }).click();
  await expect(badge).toBeVisible();

  await other.reload();
  await expect(badge).toBeVisible();
  await other.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(other.getByText('Post published')).toBeVisible();
  await expect(badge).toBeHidden();
});

test('saving shows a toast on the post’s page', { tag: '@full' }, async ({ page, site, email }) => {
  const slug = `saved-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  await page.getByLabel('Title').fill('Saved');
  await page.getByLabel('URL Slug').fill(slug);
  await contentEditor(page).fill('Text');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(page.locator('.toast')).toContainText('Blog post createdYour draft has been saved');

  await page.goto(`/blog/editor/${slug}`);
  await page.getByRole('switch').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`/blog/${slug}`);
  const toast = page.locator('.toast');
  await expect(toast).toContainText('Blog post updatedYour post has been published');
  const live = new RegExp(`Live in [\\d,]+ ms\\. Written: /blog/${slug}, /blog[,.]`);
  await expect(toast).toHaveText(live);

  // The page is published after the reply.
  await page.route('/api/posts/*', async (route) => {
    const response = await route.fetch();
    const reason = 'The disk is full.';
    const publishing = { state: 'pending', reason, pages: [] };
    await route.fulfill({ response, json: { ...(await response.json()), publishing } });
  });
  let isPending = true;
  await page.route('/api/posts/*/publishing', (route) =>
    isPending ? route.fulfill({ json: { state: 'pending', paths: [] } }) : route.continue(),
  );
  await page.goto(`/blog/editor/${slug}`);
  await page.getByLabel('Title').fill('Saved again');
  const polled = page.waitForResponse('/api/posts/*/publishing');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`/blog/${slug}`);
  await expect(toast).toContainText('Your post has been savedPending: The disk is full.');
  await polled;
  const dismiss = toast.getByRole('button', { name: 'Dismiss' });
  await page.getByRole('link', { name: 'Edit' }).focus();
  await dismiss.focus();
  isPending = false;
  const { title, description } = publishReport.nowLive;
  await expect(toast).toHaveText(title + description);
  await expect(dismiss).toBeFocused();
  await dismiss.press('Enter');
  await expect(toast).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Edit' })).toBeFocused();
});

test('the editor says that a page is pending, and when it is live', { tag: '@full' }, async ({
  page,
  site,
  email,
  loggedErrors,
}) => {
  for (const message of [
    'a page could not be written',
    'degraded',
    'published files are damaged',
  ]) {
    loggedErrors.add(message);
  }
  const slug = `pending-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title: 'Pending', slug, published: true });
  const { id } = (await (await page.request.get(`/api/posts/${slug}`)).json()) as { id: string };
  const save = async (): Promise<void> => {
    const headers = { Origin: site.url };
    const data = { content: 'What happened since then.' };
    expect((await page.request.patch(`/api/posts/${id}`, { headers, data })).status()).toBe(200);
  };
  const obstacle = join(site.dataDir, 'site', 'blog', `${slug}.html`);
  rmSync(obstacle);
  mkdirSync(obstacle);
  await save();
  const polled = page.waitForResponse('/api/posts/*/publishing');
  await page.goto(`/blog/editor/${slug}`);
  const notice = page.locator('[data-pending]');
  await expect(notice).toContainText(`/blog/${slug} could not be updated yet.`);
  await polled;
  rmdirSync(obstacle);
  await save();
  await expect(notice).toContainText('Readers now see the saved version.');
});

test('an account that may not write sees the blog like a reader', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const slug = `read-${email.slice(4, 12)}`;
  await writePost(page, site, { title: 'Read', slug, published: true });
  await page.route('/api/auth/session', async (route) => {
    const response = await route.fetch();
    const { user } = (await response.json()) as SessionReply;
    await route.fulfill({ response, json: { user: { ...user, mayWrite: false } } });
  });
  await page.goto('/blog');
  await expect(page.getByRole('link', { name: 'New Post' })).toBeHidden();
  await expect(page.locator('.post-controls').first()).toBeHidden();
  await page.goto(`/blog/${slug}`);
  await expect(page.getByRole('button', { name: 'Delete' })).toBeHidden();
  await page.goto('/blog/editor');
  await expect(
    page.getByText('Your account can read the blog but not write for it.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact');
  expect(await findingsInFullRun(page, 'the editor, for a reader')).toEqual([]);
});

test('a missing post shows an error on its page and in its editor', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  for (const path of ['/blog/no-such-post', '/blog/editor/no-such-post']) {
    pageErrors.expect(/status of 404/, path);
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Blog post not found' })).toBeVisible();
    expect(await findingsInFullRun(page, path)).toEqual([]);
    await page.getByRole('link', { name: 'Back to Blog' }).click();
    await expect(page).toHaveURL('/blog');
  }
});

test('editing a sample post makes a copy', async ({ page, site, email }) => {
  const slug = 'voice-ai-agents-in-customer-service';
  const title = 'Voice AI agents in customer service';
  await signInNewUser(page, site, email);
  await page.goto(`/blog/${slug}`);
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  expect(await findingsInFullRun(page, 'a sample')).toEqual([]);

  await page.getByRole('link', { name: 'Edit a copy' }).click();
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await expect(page.getByLabel('URL Slug')).toHaveValue(new RegExp(`^${slug}-copy`));
  await expect(page.locator('main astro-island')).not.toHaveAttribute('ssr');
  await page.getByRole('button', { name: 'Save' }).click();

  await page.waitForURL(new RegExp(`/blog/${slug}-copy`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible();
});
