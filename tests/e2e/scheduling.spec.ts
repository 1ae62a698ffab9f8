import { day } from '@app/contract/durations';
import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ timezoneId: 'Asia/Kabul' });

test('a writer schedules a post in their own time zone, changes the time and unschedules it', {
  tag: '@phone-full',
}, async ({ page, site, email, pageErrors }) => {
  const title = `Scheduled by ${email}`;
  const slug = `scheduled-${email.slice(4, 12)}`;
  const date = new Date(Date.now() + 3 * day).toISOString().slice(0, 10);
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  const time = page.getByLabel('Publish at Asia/Kabul');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('URL Slug').fill(slug);
  await contentEditor(page).click();
  await page.keyboard.insertText('Text');
  await page.getByRole('switch').check();
  await expect(time).toBeHidden();
  await page.getByRole('switch').uncheck();
  await time.fill('2020-01-01T09:00');
  pageErrors.expect(/status of 422/);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(time).toHaveAccessibleDescription('Choose a time in the future.');
  expect(await findingsInFullRun(page, 'refused')).toEqual([]);

  await time.fill(`${date}T09:00`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`**/blog/${slug}`);
  await expect(page.locator('.toast')).toContainText(/Scheduled for .* 9:00.AM/);
  const draftStatus = page.locator('article .post-status');
  await expect(draftStatus).toHaveText(/Draft\s+Scheduled for .* 9:00.AM\s*$/);
  const reply = await page.request.get(`/api/posts/${slug}`);
  // Afghanistan is 4:30 hours ahead of UTC.
  expect(await reply.json()).toMatchObject({ scheduledAt: `${date}T04:30:00.000Z` });
  expect(await findingsInFullRun(page, 'scheduled')).toEqual([]);

  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByText('You are editing a scheduled post.')).toBeVisible();
  await expect(time).toHaveValue(`${date}T09:00`);
  await contentEditor(page).waitFor();
  await time.fill(`${date}T21:30`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`**/blog/${slug}`);
  await expect(draftStatus).toHaveText(/ 9:30.PM\s*$/);

  await page.goto('/blog?drafts=true');
  const card = page.getByRole('article').filter({ hasText: title });
  await expect(card).toContainText(/Draft\s+Scheduled for .* 9:30.PM/);
  await card.getByRole('button', { name: 'Unschedule' }).click();
  await expect(page.locator('.toast')).toContainText('Post unscheduled');
  await expect(card.locator('.post-status')).toHaveText('Draft');
  await expect(card.getByRole('button', { name: 'Unschedule' })).toBeHidden();

  await page.goto(`/blog/editor/${slug}/history`);
  const versions = page.getByRole('region', { name: 'Versions' }).getByRole('listitem');
  for (const [index, change] of ['Unscheduled', 'Scheduled', 'Created'].entries()) {
    await expect(versions.nth(index)).toHaveText(new RegExp(`· ${change}\\s*$`));
  }
});
