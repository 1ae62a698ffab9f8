import { blogMessages } from '@app/contract/blog/messages';
import type { Locator } from 'playwright/test';
import { signInNewStaff, signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import { cardOf, listLoaded, writePost } from '../support/posts.ts';
import { expect, test } from '../support/site-test.ts';

const { notYours } = blogMessages;

const controlsIn = (within: Locator): Locator[] => [
  within.getByRole('link', { name: 'Edit' }),
  within.getByRole('button', { name: 'Unpublish' }),
  within.getByRole('button', { name: 'Delete', exact: true }),
];

test('the controls of another author’s post are disabled, and say why', {
  tag: '@phone-full',
}, async ({ page, site, email, newVisitor }) => {
  const title = `Of another author ${email}`;
  const slug = `others-${email.slice(4, 12)}`;
  const author = await newVisitor();
  await signInNewUser(author, site, `author-${email}`);
  await writePost(author, site, { title, slug, published: true });
  await signInNewUser(page, site, email);

  for (const path of ['/blog', `/blog/${slug}`]) {
    await page.goto(path);
    if (path === '/blog') await listLoaded(page);
    const place = path === '/blog' ? cardOf(page, title) : page.locator('main');
    await expect(place.getByText(notYours)).toBeVisible();
    for (const control of controlsIn(place)) {
      await expect(control).toBeVisible();
      await expect(control).toHaveAttribute('aria-disabled', 'true');
      await expect(control).toHaveAccessibleDescription(new RegExp(notYours));
      await control.focus();
      await expect(control).toBeFocused();
      await page.keyboard.press('Enter');
      await control.click({ force: true });
    }
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL(path);
    await expectToFit(page);
    expect(await findingsInFullRun(page, path)).toEqual([]);
  }
  expect((await author.request.get(`/api/posts/${slug}`)).status()).toBe(200);

  await author.goto(`/blog/${slug}`);
  for (const control of controlsIn(author.locator('main'))) {
    await expect(control).not.toHaveAttribute('aria-disabled');
  }
  await expect(author.getByText(notYours)).toBeHidden();
});

test('staff have the controls of all posts', { tag: '@full' }, async ({
  page,
  site,
  email,
  newVisitor,
}) => {
  const slug = `staff-${email.slice(4, 12)}`;
  const author = await newVisitor();
  await signInNewUser(author, site, `author-${email}`);
  await writePost(author, site, { title: 'For staff', slug, published: true });
  await signInNewStaff(page, site, email);

  await page.goto(`/blog/${slug}`);
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await expect(page.getByText('Post unpublished')).toBeVisible();
  await expect(page.getByText(notYours)).toBeHidden();
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('For staff');
});

test('another author’s post can be read where its editor would be', {
  tag: '@phone-full',
}, async ({ page, site, email, newVisitor }) => {
  const slug = `read-only-${email.slice(4, 12)}`;
  const author = await newVisitor();
  await signInNewUser(author, site, `author-${email}`);
  await writePost(author, site, { title: 'To be read', slug, published: true });
  await signInNewUser(page, site, email);

  const path = `/blog/editor/${slug}`;
  expect((await page.goto(path))?.status()).toBe(200);
  await expect(page.getByRole('note')).toHaveText(notYours);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('To be read');
  await expect(page.getByText('What happened then.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Save|Unpublish|Delete/ })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCount(0);
  await expectToFit(page);
  expect(await findingsInFullRun(page, path)).toEqual([]);
  await page.goto(`${path}/history`);
  await expect(page).toHaveURL(path);
});
