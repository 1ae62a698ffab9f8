import { accountMessages } from '@app/contract/accounts/messages';
import { unsaved } from '@app/site/blog/unsaved';
import type { Page } from 'playwright/test';
import { addUser, openProfile, signInAs, signInNewUser } from '../support/account.ts';
import { accountMenu } from '../support/account-menu.ts';
import { previewOf } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

test('tabs stay in sync after sign-in and sign-out', async ({ page, site, email, context }) => {
  const other = await context.newPage();
  const auth = await context.newPage();
  await other.goto('/about');
  await auth.goto('/auth');
  await signInNewUser(page, site, email);
  await page.goto('/blog');

  // Without any interaction in these tabs.
  await expect(accountMenu(other).avatar).toBeVisible();
  await expect(accountMenu(other).signIn).toBeHidden();
  await auth.waitForURL('/blog');

  await openProfile(auth, 'profile');
  await accountMenu(page).avatar.click();
  await accountMenu(page).logOut.click();
  await expect(accountMenu(other).avatar).toBeHidden();
  await expect(accountMenu(other).signIn).toBeVisible();
  await auth.waitForURL('/auth?next=%2Fprofile#signed-out');
});

test('signing out in another tab keeps unsaved text', { tag: '@full' }, async ({
  page,
  site,
  email,
  context,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  const editor = await context.newPage();
  await editor.goto('/blog/editor');
  await editor.getByLabel('Title').fill('Half a post');
  // Requests about the text must finish before the session ends.
  await expect(editor.locator('#editor-status')).toContainText('Saved, not published');
  await expect(editor.locator('#post-slug-status')).toHaveText('This URL is free.');
  await expect(previewOf(editor).getByRole('heading', { name: 'Half a post' })).toBeVisible();
  await accountMenu(page).avatar.click();
  await accountMenu(page).logOut.click();
  await expect(accountMenu(editor).avatar).toBeHidden();
  await expect(editor.getByLabel('Title')).toHaveValue('Half a post');
});

test('logging out leaves pages for signed-in users and shows a toast', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await addUser(site, email);
  const { avatar, logOut } = accountMenu(page);
  for (const [path, to] of [
    ['/blog/editor', '/blog'],
    ['/profile', '/auth'],
  ] as const) {
    await signInAs(page, site, email);
    await page.goto(path);
    await expect(page.getByText('Loading...')).toBeHidden();
    await avatar.click();
    await logOut.click();
    await page.waitForURL(to);
    await expect(page.getByText(accountMessages.signOut.done)).toBeVisible();
  }
});

test('a sign-out asks before it deletes text that cannot be sent', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await page.route('**/api/posts/drafts/*', (route) => route.abort('failed'));
  pageErrors.expect(/ERR_FAILED/);
  await page.goto('/blog/editor');
  await page.getByLabel('Title').fill('Half a post');
  await expect(page.locator('#editor-status')).toContainText('On this device only');
  const { avatar, logOut } = accountMenu(page);
  const questions: string[] = [];

  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await avatar.click();
  await logOut.click();
  await expect(logOut).toBeHidden();
  await expect(avatar).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Half a post');

  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await avatar.click();
  await logOut.click();
  await page.waitForURL('/blog');
  await expect(page.getByText(accountMessages.signOut.done)).toBeVisible();
  expect(questions).toEqual([unsaved.signOut, unsaved.signOut]);
});

/** Leaves text on the device, although the server has stored it: the response is lost. */
const leaveTextOnDevice = async (page: Page) => {
  await page.route('**/api/posts/drafts/*', async (route) => {
    if (route.request().method() === 'PUT') await route.fetch();
    await route.abort('failed');
  });
  await page.goto('/blog/editor');
  await page.getByLabel('Title').fill('Half a post');
  await expect(page.locator('#editor-status')).toContainText('On this device only');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto('/about');
  await page.unroute('**/api/posts/drafts/*');
};

test('a sign-out does not ask about text that the server has stored, even if the response was lost', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  pageErrors.expect(/ERR_FAILED/);
  pageErrors.expect(/status of 409/);
  await leaveTextOnDevice(page);
  await accountMenu(page).avatar.click();
  await accountMenu(page).logOut.click();
  await expect(page.getByText(accountMessages.signOut.done)).toBeVisible();
});

test('a sign-out also asks if the browser cannot delete stored text', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  pageErrors.expect(/ERR_FAILED/);
  pageErrors.expect(/status of 409/);
  await leaveTextOnDevice(page);
  await page.evaluate(() => {
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    };
  });

  const questions: string[] = [];
  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await accountMenu(page).avatar.click();
  await accountMenu(page).logOut.click();
  await expect(page.getByText(accountMessages.signOut.done)).toBeVisible();
  expect(questions).toEqual([unsaved.signOut]);
});

test('a sign-out also asks if the browser’s storage does not respond', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await page.goto('/about');
  await page.waitForFunction(() => 'account' in localStorage);
  const asked = page.waitForEvent('dialog');
  await accountMenu(page).avatar.click();
  const clicked = accountMenu(page).logOut.click();
  const dialog = await asked;
  expect(dialog.message()).toBe(unsaved.signOut);
  await dialog.accept();
  await clicked;
  await expect(page.getByText(accountMessages.signOut.done)).toBeVisible();
});
