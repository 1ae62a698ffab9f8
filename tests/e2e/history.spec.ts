import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ timezoneId: 'Asia/Kabul' });

test('a writer compares, names and restores a version', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
}) => {
  const slug = `past-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  const headers = { Origin: site.url };
  const lines = Array.from({ length: 12 }, (_, index) => `Step ${index + 1}.`).join('\n\n');
  const fields = { title: 'Frozen pipes', slug, published: true };
  const created = await page.request.post('/api/posts', {
    headers,
    data: { ...fields, content: `Call a plumber today.\n\n${lines}` },
  });
  const { post } = (await created.json()) as { post: { id: string } };
  await page.request.patch(`/api/posts/${post.id}`, {
    headers,
    data: { title: 'Burst pipes', content: `Call a plumber now.\n\n${lines}` },
  });

  await page.goto(`/blog/editor/${slug}`);
  await page.getByRole('link', { name: 'History' }).click();
  const versions = page.getByRole('region', { name: 'Versions' }).getByRole('listitem');
  await expect(versions).toHaveCount(2);
  await expect(versions.first()).toContainText('Current');
  const time = versions.first().locator('time');
  const savedAt = new Date((await time.getAttribute('datetime')) ?? '');
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kabul' } as const;
  await expect(time).toHaveText(savedAt.toLocaleString('en-US', style));
  await expect(versions.first()).toContainText('Title, Content');
  await versions.first().getByRole('link').click();
  await expect(page.getByRole('deletion').filter({ hasText: 'today' })).toBeVisible();
  await expect(page.getByRole('insertion').filter({ hasText: 'now' })).toBeVisible();
  await expect(page.getByText('Step 12.')).toBeHidden();
  await page.getByText('unchanged lines').click();
  await expect(page.getByText('Step 12.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restore this version' })).toHaveCount(0);

  await versions.last().getByRole('link').click();
  await page.getByLabel('Name of this version').fill('Before winter');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('The name was saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Before winter' })).toBeVisible();
  await page.getByRole('link', { name: 'Changes since this version' }).click();
  await expect(page.getByRole('insertion').filter({ hasText: 'Burst' })).toBeVisible();
  const findings = await findingsInFullRun(page, 'the history');
  expect(findings).toEqual([]);
  await expectToFit(page);

  await page.getByRole('button', { name: 'Restore this version' }).click();
  await expect(page.getByText('This version was restored')).toBeVisible();
  await expect(versions).toHaveCount(3);
  await page.getByRole('link', { name: 'Open the post' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Frozen pipes');
  await expect(page.getByText('Call a plumber today.')).toBeVisible();
});
