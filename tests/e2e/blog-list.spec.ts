import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { cardOf, listLoaded, writePost } from '../support/posts.ts';
import { expect, idle, test } from '../support/site-test.ts';

const drafts = (page: Page) => page.getByRole('switch');

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

test('drafts are shown on request, if there are any, and again after Back', async ({
  page,
  site,
  email,
}) => {
  const title = `A plan of ${email}`;
  await signInNewUser(page, site, email);
  await page.route('**/api/posts?drafts=true', (route) =>
    route.fulfill({ json: { posts: [], nextCursor: null } }),
  );
  await page.goto('/blog?drafts=true');
  await expect(page.getByRole('heading', { name: 'No blog posts yet' })).toBeVisible();
  await expect(page.getByText("You haven't created any blog posts yet.")).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  expect(await findingsInFullRun(page, 'empty')).toEqual([]);
  await page.unrouteAll();

  await writePost(page, site, { title, slug: `plan-${email.slice(4, 12)}` });
  await page.goto('/blog');
  await listLoaded(page);
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
  await listLoaded(page);
  await expect(cardOf(page, title)).toHaveCount(0);
});

test('loading the list keeps the static cards, the focus and posts with equal texts', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const own = email.slice(4, 12);
  const title = `Twice by ${email}`;
  const excerpt = 'The same words.';
  for (const slug of [`same-${own}`, `same-${own}-again`]) {
    await writePost(page, site, { title, slug, excerpt, published: true });
  }
  const released = Promise.withResolvers<void>();
  await page.route('**/api/posts?*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto('/blog');
  const card = cardOf(page, title).first();
  await card.getByRole('link', { name: title }).focus();
  const element = await card.elementHandle();
  released.resolve();
  await expect(card.getByRole('button', { name: 'Unpublish' })).toBeVisible();

  expect(await element?.evaluate((node) => node.isConnected)).toBe(true);
  await expect(card.getByRole('link', { name: title })).toBeFocused();
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await listLoaded(page);
  await expect(cardOf(page, title)).toHaveCount(2);
});

test('a card’s controls publish, unpublish and delete', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
  newVisitor,
}) => {
  const title = `News of ${email}`;
  const slug = `news-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await writePost(page, site, { title, slug });
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

test('a post that was unpublished leaves the list of published posts', async ({
  page,
  site,
  email,
}) => {
  const title = `Withdrawn by ${email}`;
  await signInNewUser(page, site, email);
  const slug = `withdrawn-${email.slice(4, 12)}`;
  await writePost(page, site, { title, slug, published: true });
  await writePost(page, site, { title: 'Stays', slug: `${slug}-not`, published: true });
  await page.goto('/blog');
  const card = cardOf(page, title);
  const next = page.locator(`article:has([href="/blog/${slug}"]) + article .title`);
  const nextPath = await next.getAttribute('href');
  await card.getByRole('button', { name: 'Unpublish' }).press('Enter');
  await expect(page.getByText('The post has been moved to drafts')).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(page.locator(`[href="${nextPath}"]`)).toBeFocused();
});

test('older posts load on demand', { tag: '@full' }, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const own = email.slice(4, 12);
  for (let n = 0; n < 21; n += 1)
    await writePost(page, site, { title: `Older ${n}`, slug: `older-${own}-${n}` });
  await page.goto('/blog?drafts=true');
  await listLoaded(page);
  await expect(page.getByRole('article')).toHaveCount(20);

  await page.getByRole('button', { name: 'Older posts' }).press('Enter');

  await expect(page.locator(`[href="/blog/older-${own}-0"]`)).toBeVisible();
  // The focus is on the button or, if there are no more posts, on the first new one.
  await expect(page.locator('#more-posts:focus, #posts > :nth-child(21) .title:focus')).toHaveCount(
    1,
  );
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
  await writePost(page, site, { title, slug: `plain-${email.slice(4, 12)}`, published: true });
  await writePost(page, site, {
    title: broken,
    slug: `broken-${email.slice(4, 12)}`,
    coverImage: site.url + missing,
    published: true,
  });
  // For a card that the script creates; the others are static.
  const draft = `Draft cover of ${email}`;
  await writePost(page, site, { title: draft, slug: `draft-${email.slice(4, 12)}` });
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
  // Deleted, so that lists in other tests do not load the missing cover.
  await cardOf(page, broken).getByRole('button', { name: 'Delete', exact: true }).click();
  await cardOf(page, broken).getByRole('button', { name: 'Delete post' }).click();
  await expect(cardOf(page, broken)).toHaveCount(0);
});
