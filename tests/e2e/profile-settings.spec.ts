import { accountMessages } from '@app/contract/accounts/messages';
import type { Page } from 'playwright/test';
import {
  expireRecentSignIn,
  openProfile,
  password,
  signInAs,
  signInNewUser,
} from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForLink } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

const settingOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.goto('/auth');
  const panel = page.getByRole('tabpanel', { name: 'Sign In' });
  await panel.getByLabel('Email').fill(email);
  await panel.getByLabel('Password', { exact: true }).fill(secret);
  await pressHydrated(panel.getByRole('button', { name: 'Sign In' }));
  await page.waitForURL('/blog');
}

const typePassword = async (page: Page, secret: string): Promise<void> => {
  const setting = settingOf(page, 'Password');
  await setting.getByText('Change password').click();
  await setting.getByLabel('New password').fill(secret);
  await setting.getByRole('button', { name: 'Save password' }).click();
};

test('changing the password ends all other sessions', async ({
  page,
  site,
  email,
  newVisitor,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  const other = await newVisitor();
  await signInAs(other, site, email);

  await openProfile(page, 'settings');
  const devices = settingOf(page, 'Where you are signed in');
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  pageErrors.expect(/status of 422/, '/api/auth/password');
  await typePassword(page, 'password');
  const field = page.getByLabel('New password');
  await expect(field).toHaveAccessibleDescription(/one of the most common passwords/);
  await field.fill('a better horse');
  await field.press('Enter');
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(field).toBeHidden();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(devices.getByText('This device')).toBeVisible();

  await other.goto('/profile');
  await other.waitForURL('/auth?next=%2Fprofile#signed-out');
  await expect(other.getByRole('link', { name: 'Admin Sign In' })).toBeVisible();
  await signIn(other, email, 'a better horse');
});

test('after an old sign-in, a change requires the password and then continues', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  expireRecentSignIn(site, email);
  await openProfile(page, 'settings');
  const dialog = page.getByRole('dialog', { name: "Please confirm it's you" });
  const secret = dialog.getByLabel('Password', { exact: true });

  pageErrors.expect(/status of 403/, '/api/auth/password');
  await typePassword(page, 'a better horse');
  await expect(dialog).toBeVisible();
  expect(await findingsInFullRun(page, 'asked again')).toEqual([]);

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(
    page.getByText('The password was not changed').filter({ visible: true }),
  ).toBeVisible();
  await expect(page.getByLabel('New password')).toHaveValue('a better horse');

  pageErrors.expect(/status of 403/, '/api/auth/password');
  await page.getByRole('button', { name: 'Save password' }).click();
  pageErrors.expect(/status of 401/, '/api/auth/sign-in-again');
  await secret.fill('not this one');
  await secret.press('Enter');
  await expect(secret).toHaveAccessibleDescription('Incorrect password.');
  await secret.fill(password);
  await secret.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Password changed')).toBeVisible();
});

test('a new email address takes effect once its link is followed', async ({
  page,
  site,
  email,
}) => {
  const next = `new-${email}`;
  await signInNewUser(page, site, email);
  await openProfile(page, 'settings');
  const setting = settingOf(page, 'Email');
  await expect(setting.getByText(email)).toBeVisible();
  await setting.getByText('Change email').click();
  await setting.getByLabel('New email').fill('nonsense');
  await setting.getByRole('button', { name: 'Send the link' }).click();
  await expect(setting.getByLabel('New email')).toHaveAccessibleDescription(
    'Please enter a valid email address.',
  );
  await setting.getByLabel('New email').fill(next);
  await setting.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Check the inbox of your new address')).toBeVisible();
  await expect(setting.getByText(email, { exact: true })).toBeVisible();

  const { link } = await waitForLink(site.dataDir, next, '/auth/change-email');
  await page.goto(link);
  await page.getByRole('button', { name: 'Use this address' }).click();
  await page.waitForURL('/profile#email-changed');
  await expect(page.getByText('Email address changed')).toBeVisible();
  await expect(setting.getByText(next)).toBeVisible();
});

test('devices are signed out one by one, and all at once', { tag: '@full' }, async ({
  page,
  site,
  email,
  newVisitor,
}) => {
  await signInNewUser(page, site, email);
  for (let count = 0; count < 3; count += 1) await signInAs(await newVisitor(), site, email);
  await openProfile(page, 'settings');
  const setting = settingOf(page, 'Where you are signed in');
  const rows = setting.getByRole('listitem');
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1);
  await expect(rows.first()).toContainText(/Chrom\w+ on Linux/);

  await setting
    .getByRole('button', { name: /^Log out there/ })
    .first()
    .click();
  await expect(setting.getByText('Device signed out')).toBeVisible();
  await expect(rows).toHaveCount(3);
  // The focus moves on, because its button is gone.
  await expect(setting.locator(':focus')).toHaveCount(1);
  await setting.getByRole('button', { name: 'Log out all other devices' }).click();
  await expect(setting.getByText('Signed out on all other devices')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('/auth');
  await expect(page.getByText(accountMessages.signOut.done)).toBeVisible();
});

test('a spinner is shown while the list is refreshed', { tag: '@full' }, async ({
  page,
  site,
  email,
  newVisitor,
}) => {
  await signInNewUser(page, site, email);
  await signInAs(await newVisitor(), site, email);
  await openProfile(page, 'settings');
  const setting = settingOf(page, 'Where you are signed in');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/auth/sessions', async (route) => {
    await released;
    await route.continue();
  });
  await setting.getByRole('button', { name: /^Log out there/ }).click();
  await expect(setting.locator('[data-spinner]')).toBeVisible();
  await expect(setting.getByRole('button', { name: /^Log out there/ })).toBeDisabled();
  release();
  await expect(setting.locator('[data-spinner]')).toBeHidden();
});

test('users download their data; the deletion dialog shows the consequences and deletes the account', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'settings');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download your data' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  const setting = settingOf(page, 'Delete account');
  await expect(setting.getByText('What is deleted')).toBeVisible();
  await expect(setting.getByText('What stays')).toBeVisible();
  await setting.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const last = dialog.getByRole('button', { name: 'Delete forever' });
  await expect(last).toBeDisabled();
  await expect(dialog.getByLabel(/Keep them on the blog/)).toBeChecked();
  expect(await findingsInFullRun(page, 'about to be deleted')).toEqual([]);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(dialog).toBeHidden();

  await setting.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByLabel('Delete them, too.').check();
  await dialog.getByLabel('I understand that this cannot be undone.').check();
  await last.click();
  await page.waitForURL('/auth');
  await expect(page.getByText('Your account was deleted').filter({ visible: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Your account' })).toBeHidden();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('account'))).toBeNull();
});
