import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostSaved } from '@app/contract/blog/posts';
import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { contentEditor, isBesideText, previewOf } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

async function openPreview(page: Page): Promise<void> {
  if (!isBesideText(page)) await page.getByRole('tab', { name: 'Preview' }).click();
}

const long = Array.from({ length: 60 }, (_, n) => `Paragraph ${n}\n`).join('\n');

test('the preview is the page that readers get, byte for byte', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
}) => {
  const slug = `preview-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  const sent = page.waitForResponse(/posts\/preview$/);
  await page.getByLabel('Title').fill('Winter checks');
  await page.getByLabel('URL Slug').fill(slug);
  await contentEditor(page).fill(
    '## Pipes\n\nDrain **all**\nnow.\n\n| a | b |\n| :- | -: |\n| 1 | 2 |',
  );
  await openPreview(page);
  await sent;
  const frame = previewOf(page);
  await expect(frame.getByRole('heading', { name: 'Winter checks' })).toBeVisible();
  await expect(frame.locator('.post-body strong')).toHaveText('all');
  // The page's own styles and fonts apply.
  const size = (of: string) => frame.locator(of).evaluate((e) => getComputedStyle(e).fontFamily);
  await expect.poll(() => size('h1')).toContain('Bricolage');

  const answered = await page.request.post('/api/posts', {
    data: {
      title: 'Winter checks',
      slug,
      content: '## Pipes\n\nDrain **all**\nnow.\n\n| a | b |\n| :- | -: |\n| 1 | 2 |',
      published: true,
    },
    headers: { Origin: site.url },
  });
  const { post } = (await answered.json()) as PostSaved;
  const { title, excerpt } = post;
  const again = await page.request.post('/api/posts/preview', {
    data: { post: post.id, title, slug, excerpt, content: post.content },
    headers: { Origin: site.url },
  });
  const { html } = (await again.json()) as { html: string };
  const file = await readFile(join(site.dataDir, `site/blog/${slug}.html`), 'utf8');
  const bodyOf = (text: string) => text.slice(text.indexOf('<body'));
  expect(bodyOf(html)).toBe(bodyOf(file));
  expect(bodyOf(file)).toContain('<strong>all</strong>');

  // The frame shows the same elements, without scripts and their effects.
  const expected = await frame.locator('html').evaluate((_, text) => {
    const body = new DOMParser().parseFromString(text, 'text/html').querySelector('article');
    return body?.querySelector('.post-body')?.outerHTML;
  }, file);
  const shown = () => frame.locator('.post-body').evaluate((e) => e.outerHTML);
  await expect.poll(shown).toBe(expected);
});

test('the preview follows the text and the cursor, and can show other devices and themes', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  await contentEditor(page).fill(long);
  const frame = previewOf(page);
  await expect(frame.getByText('Paragraph 59')).toBeInViewport();

  await contentEditor(page).press('ControlOrMeta+Home');
  await page.keyboard.type('First! ');
  await expect(frame.getByText('First! Paragraph 0')).toBeInViewport();
  // Only changed elements are replaced.
  const seventh = frame.locator('.post-body p').nth(7);
  await seventh.evaluate((element) => Object.assign(element, { isKept: true }));
  await page.keyboard.type('And more. ');
  await expect(frame.getByText('First! And more.')).toBeVisible();
  expect(await seventh.evaluate((element) => 'isKept' in element)).toBe(true);

  const width = () => frame.locator('html').evaluate(() => innerWidth);
  await expect.poll(width).toBe(1280);
  await page.getByRole('button', { name: 'Phone' }).click();
  await expect.poll(width).toBe(390);
  await page.getByRole('button', { name: 'Dark', exact: true }).click();
  await expect(frame.locator('html')).toHaveClass(/dark/);
});

test('a text that cannot be rendered shows the reason, and the last preview stays', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  pageErrors.expect(/status of 422/, '/api/posts/preview');
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  await contentEditor(page).fill('Fine');
  const frame = previewOf(page);
  await expect(frame.getByText('Fine')).toBeVisible();
  await contentEditor(page).fill('> '.repeat(30));
  await expect(page.getByText('can be nested at most 20 levels deep').first()).toBeVisible();
  await expect(frame.getByText('Fine')).toBeVisible();
});

test('typing while a preview is rendered requests only one more, with the latest text', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  const frame = previewOf(page);
  await contentEditor(page).fill('One');
  await expect(frame.locator('.post-body')).toHaveText('One');

  let asked = 0;
  const { promise: isRendered, resolve: finish } = Promise.withResolvers<void>();
  await page.route('/api/posts/preview', async (route) => {
    asked += 1;
    if (asked === 1) await isRendered;
    await route.continue();
  });
  // Drafts are stored after a longer pause than the one that starts a preview.
  const stored = () => page.waitForResponse(/\/drafts(\/|$)/);
  for (const text of ['Two', 'Three', 'Four']) {
    const isStored = stored();
    await contentEditor(page).fill(text);
    await isStored;
  }
  expect(asked).toBe(1);
  finish();
  await expect(frame.locator('.post-body')).toHaveText('Four');
  expect(asked).toBe(2);
});
