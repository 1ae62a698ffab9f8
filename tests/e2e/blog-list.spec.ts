import type { SessionReply } from '@app/contract/accounts/sign-in';
import { publishJobs } from '@app/db/schema/publishing';
import type { Page } from 'playwright/test';
import { endSessions, signInNewUser } from '../support/account.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { openDatabase } from '../support/database.ts';
import { phoneInFullRun } from '../support/full-run.ts';
import { contentEditor } from '../support/post-editor.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, idle, test } from '../support/site-test.ts';

const cardOf = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });
const drafts = (page: Page) => page.getByRole('switch');
const loaded = (page: Page) => expect(page.locator('#posts')).not.toHaveAttribute('aria-busy');

async function write(page: Page, site: SiteProcess, data: object): Promise<void> {
  const reply = await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { content: 'What happened then. '.repeat(20), ...data },
  });
  expect(reply.status()).toBe(201);
}

test('visitors load no list script and see no controls', async ({
  page,
  newVisitor,
  site,
  email,
}) => {
  const scriptsOf = async (visited: Page, path: string) => {
    const scripts: string[] = [];
    visited.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await visited.goto(path);
    await idle(visited);
    const inline = await visited.evaluate(() =>
      Array.from(document.scripts, ({ src, type, text }) => (src || type ? '' : text)).join('\n'),
    );
    return { scripts, inline };
  };
  const blog = await scriptsOf(page, '/blog?drafts=true');
  expect(blog.scripts).toEqual([]);
  expect(blog.inline).toEqual((await scriptsOf(page, '/about')).inline);
  await expect(page.getByRole('link', { name: 'New Post' })).toBeHidden();
  await expect(page.getByRole('switch')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Delete' })).toBeHidden();

  const writer = await newVisitor();
  await signInNewUser(writer, site, email);
  const { scripts } = await scriptsOf(writer, '/blog');
  await expect.poll(() => scripts.join()).toContain('PostList');
});

test('drafts are shown on request, and again after Back', async ({ page, site, email }) => {
  const title = `A plan of ${email}`;
  await signInNewUser(page, site, email);
  await write(page, site, { title, slug: `plan-${email.slice(4, 12)}` });
  await page.goto('/blog');
  await loaded(page);
  await expect(page.getByText('Published only')).toBeVisible();
  await expect(cardOf(page, title)).toHaveCount(0);

  await drafts(page).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Showing drafts')).toBeVisible();
  await expect(cardOf(page, title).getByText('Draft', { exact: true })).toBeVisible();

  await cardOf(page, title).getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await page.goBack();
  await expect(drafts(page)).toBeChecked();
  await expect(cardOf(page, title)).toBeVisible();
  await page.reload();
  await expect(cardOf(page, title)).toBeVisible();

  await drafts(page).click();
  await expect(page).toHaveURL('/blog');
  await loaded(page);
  await expect(cardOf(page, title)).toHaveCount(0);
});

test('a card’s controls publish, unpublish and delete', { tag: phoneInFullRun }, async ({
  page,
  site,
  email,
  newVisitor,
}) => {
  const title = `News of ${email}`;
  const slug = `news-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await write(page, site, { title, slug });
  await page.goto('/blog?drafts=true');
  const card = cardOf(page, title);
  const reader = await newVisitor();

  await card.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Post published')).toBeVisible();
  await expect(page.getByText('The post is now visible to everyone')).toBeVisible();
  await expect(card.getByText('Draft', { exact: true })).toBeHidden();
  await reader.goto('/blog');
  await expect(reader.getByRole('link', { name: title })).toBeVisible();

  await card.getByRole('button', { name: 'Unpublish' }).click();
  await expect(page.getByText('Post unpublished')).toBeVisible();
  await expect(page.getByText('The post has been moved to drafts')).toBeVisible();
  await expect(card.getByText('Draft', { exact: true })).toBeVisible();
  await reader.goto('/blog');
  await expect(reader.getByRole('link', { name: title })).toHaveCount(0);

  await card.getByRole('button', { name: 'Delete', exact: true }).click();
  await card.getByRole('button', { name: 'Keep it' }).click();
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: 'Delete', exact: true }).click();
  await card.getByRole('button', { name: 'Delete post' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByText('Post deleted')).toBeVisible();
  expect((await page.request.get(`/api/posts/${slug}`)).status()).toBe(404);
});

test('shows three skeleton cards while drafts load', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/posts?drafts=true', async (route) => {
    await answer.promise;
    await route.fulfill({ json: { posts: [], nextCursor: null } });
  });
  await page.goto('/blog?drafts=true');
  await expect(page.locator('.skeleton')).toHaveCount(3);
  await expect(page.getByText('No blog posts yet')).toBeHidden();
  expect(await findingsInBothThemes(page, 'loading')).toEqual([]);

  answer.resolve();
  await expect(page.getByRole('heading', { name: 'No blog posts yet' })).toBeVisible();
  await expect(page.getByText("You haven't created any blog posts yet.")).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  expect(await findingsInBothThemes(page, 'empty')).toEqual([]);
});

test('a failed list shows an error and can be retried', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500/, '/api/posts?drafts=true');
  await signInNewUser(page, site, email);
  const title = `Retried by ${email}`;
  await write(page, site, { title, slug: `retried-${email.slice(4, 12)}` });
  await page.route('**/api/posts?drafts=true', (route) => route.fulfill({ status: 500 }));
  await page.goto('/blog?drafts=true');
  await expect(page.getByText('Error loading blog posts')).toBeVisible();
  await expect(page.getByText('Please try again later', { exact: true })).toBeVisible();
  expect(await findingsInBothThemes(page, 'failed')).toEqual([]);

  const again = page.getByRole('button', { name: 'Try again' });
  const failedAgain = page.waitForResponse('**/api/posts?drafts=true');
  await again.press('Enter');
  await failedAgain;
  await expect(again).toBeFocused();

  await page.unroute('**/api/posts?drafts=true');
  await again.press('Enter');
  await expect(page.getByText('Error loading blog posts')).toBeHidden();
  await loaded(page);
  await expect(cardOf(page, title).getByRole('link', { name: title })).toBeFocused();
});

test('a failed change shows an error and leaves the card unchanged', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED/);
  const title = `Kept by ${email}`;
  await signInNewUser(page, site, email);
  await write(page, site, { title, slug: `kept-${email.slice(4, 12)}`, published: true });
  await page.goto('/blog');
  const card = cardOf(page, title);
  await page.route('**/api/posts/*', (route) => route.abort('failed'));

  await card.getByRole('button', { name: 'Unpublish' }).click();
  await expect(page.locator('.toast')).toContainText('ErrorFailed to update blog post');
  await card.getByRole('button', { name: 'Delete', exact: true }).click();
  await card.getByRole('button', { name: 'Delete post' }).click();
  await expect(page.locator('.toast')).toContainText('ErrorFailed to delete blog post');
  await expect(card.getByRole('button', { name: 'Unpublish' })).toBeEnabled();
  expect(await findingsInBothThemes(page, 'the list, with an error')).toEqual([]);
});

test('older posts load on demand', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const own = email.slice(4, 12);
  for (let n = 0; n < 21; n += 1)
    await write(page, site, { title: `Older ${n}`, slug: `older-${own}-${n}` });
  await page.goto('/blog?drafts=true');
  await loaded(page);
  await expect(page.getByRole('article')).toHaveCount(20);

  await page.getByRole('button', { name: 'Older posts' }).press('Enter');

  await expect(page.locator(`[href="/blog/older-${own}-0"]`)).toBeVisible();
  // On the button, or without further posts on the first new one.
  await expect(page.locator('#more-posts:focus, #posts > :nth-child(21) .title:focus')).toHaveCount(
    1,
  );
});

test('an ended session is explained, with a link that returns here', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await write(page, site, { title: `Mine, ${email}`, slug: `mine-${email.slice(4, 12)}` });
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
  await write(page, site, { title, slug: `ended-${email.slice(4, 12)}`, published: true });
  await page.goto('/blog');
  const button = cardOf(page, title).getByRole('button', { name: 'Unpublish' });
  await button.waitFor();
  endSessions(site, email);

  await button.click();

  await expect(page.getByText('You are signed out')).toBeVisible();
  await expect(button).toBeHidden();
});

test('missing and broken covers fall back to an illustration', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const title = `Covers of ${email}`;
  const broken = `Broken cover of ${email}`;
  const missing = '/no-such-cover.png';
  pageErrors.expect(/status of 404/, missing);
  await signInNewUser(page, site, email);
  await write(page, site, { title, slug: `plain-${email.slice(4, 12)}`, published: true });
  await write(page, site, {
    title: broken,
    slug: `broken-${email.slice(4, 12)}`,
    coverImage: site.url + missing,
    published: true,
  });
  // A static card, and one created by the script.
  const draft = `Draft cover of ${email}`;
  await write(page, site, { title: draft, slug: `draft-${email.slice(4, 12)}` });
  await page.goto('/blog?drafts=true');
  await expect(cardOf(page, draft).getByRole('img', { name: 'No image' })).toBeVisible();
  await page.goto('/blog');
  await expect(cardOf(page, title).getByRole('img', { name: 'No image' })).toBeVisible();
  for (const path of [`/blog/broken-${email.slice(4, 12)}`, '/blog']) {
    await page.goto(path);
    const frame = page.locator('.cover-frame', { has: page.locator(`[src$="${missing}"]`) });
    await expect(frame.locator('svg')).toBeVisible();
    // A broken image must not cover the illustration.
    await expect
      .poll(() =>
        frame
          .locator('img')
          .evaluate(({ complete, naturalWidth }: HTMLImageElement) => [complete, naturalWidth]),
      )
      .toEqual([true, 0]);
  }
  // Removed, so that other tests' lists do not load it.
  await cardOf(page, broken).getByRole('button', { name: 'Delete', exact: true }).click();
  await cardOf(page, broken).getByRole('button', { name: 'Delete post' }).click();
  await expect(cardOf(page, broken)).toHaveCount(0);
});

test('the draft badge follows a toggle on the post’s page, which can be undone', async ({
  page,
  site,
  email,
  newVisitor,
}) => {
  const slug = `shared-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await write(page, site, { title: 'Shared', slug, published: true });
  const other = await newVisitor();
  await signInNewUser(other, site, `other-${email}`);
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

test('saving shows a toast on the post’s page', async ({ page, site, email }) => {
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

  // A page that is published later.
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
  await expect(toast).toHaveText('LiveReaders now get the saved version.');
  await expect(dismiss).toBeFocused();
  await dismiss.press('Enter');
  await expect(toast).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Edit' })).toBeFocused();
});

test('the editor says that a page is pending, and when it is live', async ({
  page,
  site,
  email,
}) => {
  const slug = `pending-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await write(page, site, { title: 'Pending', slug, published: true });
  using db = openDatabase(site.dataDir);
  const nextAttemptAt = Date.now() + 300_000;
  const job = { paths: [`/blog/${slug}`], attempts: 1, nextAttemptAt, createdAt: Date.now() };
  db.insert(publishJobs).values(job).run();
  const polled = page.waitForResponse('/api/posts/*/publishing');
  await page.goto(`/blog/editor/${slug}`);
  const notice = page.locator('[data-pending]');
  await expect(notice).toContainText(`/blog/${slug} could not be updated yet.`);
  await polled;
  db.delete(publishJobs).run();
  await expect(notice).toContainText('Readers now get the saved version.');
});

test('an account that may not write sees the blog like a reader', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const slug = `read-${email.slice(4, 12)}`;
  await write(page, site, { title: 'Read', slug, published: true });
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
  expect(await findingsInBothThemes(page, 'the editor, for a reader')).toEqual([]);
});

test('a missing post shows an error on its page and in its editor', async ({
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
    expect(await findingsInBothThemes(page, path)).toEqual([]);
    await page.getByRole('link', { name: 'Back to Blog' }).click();
    await expect(page).toHaveURL('/blog');
  }
});

test('a sample is copied, not changed', async ({ page, site, email }) => {
  const slug = 'voice-ai-agents-in-customer-service';
  const title = 'Voice AI agents in customer service';
  await signInNewUser(page, site, email);
  await page.goto(`/blog/${slug}`);
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  expect(await findingsInBothThemes(page, 'a sample')).toEqual([]);

  await page.getByRole('link', { name: 'Edit a copy' }).click();
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await expect(page.getByLabel('URL Slug')).toHaveValue(new RegExp(`^${slug}-copy`));
  await expect(page.locator('main astro-island')).not.toHaveAttribute('ssr');
  await page.getByRole('button', { name: 'Save' }).click();

  await page.waitForURL(new RegExp(`/blog/${slug}-copy`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible();
});
