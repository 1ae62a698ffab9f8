import { users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { openDatabase } from '../support/database.ts';
import { expect, test } from '../support/site-test.ts';

function makeStaff(dataDir: string, email: string): void {
  using db = openDatabase(dataDir);
  db.update(users).set({ role: 'staff' }).where(eq(users.email, email)).run();
}

test('other writers cannot change a post that staff have locked', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email, newVisitor }) => {
  const slug = `locked-${email.slice(4, 12)}`;
  await signInNewUser(page, site, email);
  makeStaff(site.dataDir, email);
  const headers = { Origin: site.url };
  const data = { title: 'House rules', slug, content: 'Text', published: true };
  const created = await page.request.post('/api/posts', { headers, data });
  expect(created.status()).toBe(201);

  await page.goto(`/blog/editor/${slug}`);
  await page.getByRole('button', { name: 'Lock for others' }).click();
  await expect(page.getByText('This post is locked')).toBeVisible();
  await expect(page.getByLabel('Title')).toBeVisible();

  const other = await newVisitor();
  await signInNewUser(other, site, `other-${email}`);
  await other.goto(`/blog/editor/${slug}`);
  await expect(other.getByText('Only staff can change it.')).toBeVisible();
  await expect(other.getByLabel('Title')).toHaveCount(0);
  expect(await findingsInFullRun(other, 'the locked editor')).toEqual([]);
  await other.getByRole('link', { name: 'History' }).click();
  await expect(other.getByText('This post is locked')).toBeVisible();
  // Without scripts, a form that tries to restore the post leads here.
  await other.goto('/blog/trash#locked');
  await expect(other.getByRole('alert')).toContainText('Staff have locked this post.');

  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('This post is locked')).toHaveCount(0);
  await other.goto(`/blog/editor/${slug}`);
  await expect(other.getByLabel('Title')).toBeVisible();
});
