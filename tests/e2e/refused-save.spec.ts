import { hour } from '@app/contract/durations';
import type { Page } from 'playwright/test';
import { password, signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { expect, test } from '../support/site-test.ts';

const fieldsOf = (page: Page) => ({
  title: page.getByLabel('Title'),
  slug: page.getByLabel('URL Slug'),
  excerpt: page.getByRole('textbox', { name: 'Excerpt' }),
  tags: page.getByLabel('Tags'),
  content: page.getByRole('textbox', { name: 'Content' }),
  time: page.getByLabel('Publish at'),
  zone: page.getByLabel('Time zone'),
  save: page.getByRole('button', { name: 'Save' }),
  problem: page.getByRole('alert').filter({ hasText: 'The post was not saved' }),
});

test('without scripts, a refused save returns the text, even after the session has ended', {
  tag: '@phone-full',
}, async ({ newVisitor, site, email, pageErrors }) => {
  const page = await newVisitor({ javaScriptEnabled: false });
  const context = page.context();
  const mine = email.slice(4, 12);
  await signInNewUser(page, site, email);
  const headers = { Origin: site.url };
  const data = { title: 'Other', content: 'Text', slug: `other-${mine}` };
  await page.request.post('/api/posts', { headers, data });

  await page.goto('/blog/editor');
  const { title, slug, excerpt, tags, content, time, zone, save, problem } = fieldsOf(page);
  const date = new Date(Date.now() + 72 * hour).toISOString().slice(0, 10);
  await title.fill('Frozen pipes');
  await slug.fill(`other-${mine}`);
  await excerpt.fill('What to do.');
  await tags.fill('Heating, Water');
  await content.fill('First.\n\nSecond.');
  await time.fill(`${date}T09:00`);
  await zone.fill('Asia/Kabul');
  pageErrors.expect(/status of 409/);
  await save.click();

  const expectText = async () => {
    await expect(problem).toBeInViewport();
    await expect(title).toHaveValue('Frozen pipes');
    await expect(excerpt).toHaveValue('What to do.');
    await expect(tags).toHaveValue('Heating, Water');
    await expect(content).toHaveValue('First.\n\nSecond.');
    await expect(time).toHaveValue(`${date}T09:00`);
    await expect(zone).toHaveValue('Asia/Kabul');
    // The text is in the page only once, because a long one would double its size.
    await expect(page.locator('astro-island[props*="Second."]')).toHaveCount(0);
  };
  const taken = 'Another post has or had this URL slug. Please choose a different one.';
  await expectText();
  await expect(slug).toHaveAccessibleDescription(new RegExp(taken));
  await problem.getByRole('link', { name: taken }).click();
  await slug.fill(`pipes-${mine}`);

  await context.clearCookies();
  pageErrors.expect(/status of 401/);
  await save.click();
  await expectText();
  await expect(slug).toHaveValue(`pipes-${mine}`);

  const opened = context.waitForEvent('page');
  await problem.getByRole('link', { name: 'Sign In' }).click();
  const tab = await opened;
  const panel = tab.getByRole('tabpanel', { name: 'Sign In' });
  await panel.getByLabel('Email').fill(email);
  await panel.getByLabel('Password').fill(password);
  await pressHydrated(panel.getByRole('button', { name: 'Sign In' }));
  await tab.waitForURL('/blog');
  await tab.close();

  await save.click();
  await page.waitForURL(`/blog/pipes-${mine}`);
  await expect(page.getByText('Second.')).toBeVisible();
  const saved = await page.request.get(`/api/posts/pipes-${mine}`);
  expect(await saved.json()).toMatchObject({
    title: 'Frozen pipes',
    scheduledAt: `${date}T04:30:00.000Z`,
  });
});

test('scripts store a text that was refused before they loaded', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  const { title, content, problem } = fieldsOf(page);
  await title.fill('Typed early');
  // Bypasses the scripts of the form.
  pageErrors.expect(/status of 422/);
  await title.evaluate((field: HTMLInputElement) => field.form?.submit());
  await expect(problem).toBeVisible();
  await expect(page.getByText('Saved, not published')).toBeVisible();
  await expect(title).toHaveValue('Typed early');
  await expect(content).toHaveAccessibleDescription(/Content is required/);
  expect(await findingsInFullRun(page, 'refused')).toEqual([]);

  await page.goto('/blog/editor');
  await expect(page.getByText('You have an unsaved post, “Typed early”').first()).toBeVisible();
});
