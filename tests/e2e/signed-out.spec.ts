import { accountMessages } from '@app/contract/accounts/messages';
import type { Locator, Page } from 'playwright/test';
import { endSessions, openProfile, password, signInAs, signInNewUser } from '../support/account.ts';
import { accountMenu } from '../support/account-menu.ts';
import { authForms } from '../support/auth-forms.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { pictureFile, pictureInput, uploadList } from '../support/pictures.ts';
import { contentEditor, contentField, editorStatus, typeAtEnd } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';
import { textsOnDevice } from '../support/texts-on-device.ts';

const signedOut = (within: Page | Locator) =>
  within.locator('.notice').filter({ hasText: 'You are signed out', visible: true });

test('/profile with a stale cookie redirects to the sign-in page, and back', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  endSessions(site, email);
  await page.goto('/profile');
  await expect(page).toHaveURL('/auth?next=%2Fprofile#signed-out');
  await expect(signedOut(page)).toBeInViewport();
  expect(await findingsInFullRun(page, 'signed out')).toEqual([]);

  await authForms(page).signIn.send(email, password);
  await page.waitForURL('/profile');
  await expect(page.getByText('Signed in successfully')).toBeVisible();
  await expect(page.locator('main header')).toContainText(email);
});

test('returns only to pages of this site', { tag: '@full' }, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  for (const [next, path] of [
    ['//evil.example', '/blog'],
    ['/\\evil.example', '/blog'],
    ['https://evil.example/', '/blog'],
    ['/auth?next=/profile', '/blog'],
    ['/contact', '/contact'],
  ] as const) {
    // Signed-in users are redirected immediately.
    await page.goto(`/auth?${new URLSearchParams({ next })}`);
    await expect(page).toHaveURL(path);
  }
  await page.context().clearCookies();
  await page.goto('/auth?next=%2F%2Fevil.example');
  await authForms(page).signIn.send(email, password);
  await expect(page).toHaveURL('/blog');
});

test('each action on the profile page reports an ended session and keeps the entries', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  endSessions(site, email);
  pageErrors.expect(/status of 401/);

  await page.getByLabel('Username').fill('anna');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const link = signedOut(page).getByRole('link', { name: 'Sign In' });
  await expect(link).toHaveAttribute('href', '/auth?next=%2Fprofile');
  await expect(page).toHaveURL('/profile#profile');
  await expect(page.getByLabel('Username')).toHaveValue('anna');
  expect(await findingsInFullRun(page, 'signed out')).toEqual([]);

  await page.getByRole('button', { name: 'Change Avatar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Avatar' });
  await dialog
    .getByLabel('Picture')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog.getByText('User not authenticated. You are signed out.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('tab', { name: 'Settings' }).click();
  const settings = page.getByRole('tabpanel', { name: 'Settings' });
  const messages = signedOut(settings);
  await settings.getByText('Change email').click();
  await settings.getByLabel('New email').fill(`new-${email}`);
  await settings.getByRole('button', { name: 'Send the link' }).click();
  await expect(messages).toHaveCount(1);
  await settings.getByText('Change password').click();
  await settings.getByLabel('New password', { exact: true }).fill('another horse battery');
  await settings.getByRole('button', { name: 'Save password' }).click();
  await expect(messages).toHaveCount(2);

  await signedOut(page).last().getByRole('link', { name: 'Sign In' }).click();
  await authForms(page).signIn.send(email, password);
  await page.waitForURL('/profile');
});

const rememberAccount = async (page: Page) => {
  await page.goto('/about');
  await page.waitForFunction(() => 'account' in localStorage);
};

/** Holds the requests until the returned function is called. */
const hold = async (page: Page, url: string | RegExp): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
};

test('text stays if it was typed before the editor noticed the end of the session', async ({
  page,
  context,
  site,
  email,
  pageErrors,
}) => {
  pageErrors.expect(/status of 401/);
  await signInNewUser(page, site, email);
  await rememberAccount(page);
  endSessions(site, email);

  await test.step('while its scripts load', async () => {
    const release = await hold(page, /\/_astro\/.*\.js$/);
    await page.goto('/blog/editor', { waitUntil: 'commit' });
    await page.getByLabel('Title').fill('Early');
    await contentField(page).fill('Before the scripts.');
    release();
    const notice = page.locator('.notice').filter({ hasText: 'You must be logged in' });
    await expect(notice.getByRole('link')).toHaveAttribute('target', '_blank');
    await expect(contentField(page)).toHaveValue('Before the scripts.');
    await expect(editorStatus(page)).toContainText('On this device only');
    expect(await textsOnDevice(page)).toEqual(['Before the scripts.']);
    await page.close({ runBeforeUnload: false });
  });

  await test.step('while the request for the session is slow', async () => {
    const other = await context.newPage();
    await signInAs(other, site, email);
    await rememberAccount(other);
    endSessions(site, email);
    const release = await hold(other, '**/api/auth/session');
    await other.goto('/blog/editor');
    await contentEditor(other).waitFor();
    await typeAtEnd(other, 'Before the session.');
    await expect(accountMenu(other).avatar).toBeHidden();
    release();
    await expect(other.getByText('You must be logged in')).toBeVisible();
    await expect(contentField(other)).toHaveValue('Before the session.');
    await expect(editorStatus(other)).toContainText('On this device only');
    expect(await textsOnDevice(other)).toContain('Before the session.');
    await other.close({ runBeforeUnload: false });
  });
});

test('pages with typed text stay open after a sign-out in another tab', async ({
  page,
  context,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/about');
  await expect(accountMenu(page).avatar).toBeVisible();
  const [editor, profile, pictures, untouched] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ];
  await hold(editor, /\/_astro\/PostEditor.*\.js$/);
  await editor.goto('/blog/editor', { waitUntil: 'commit' });
  await editor.getByLabel('Title').fill('Early');
  await openProfile(profile, 'profile');
  await profile.getByLabel('Full Name').fill('Ann Typed');
  await pictures.goto('/blog/pictures');
  await expect(pictures.getByLabel(pictureInput)).toBeEnabled();
  await pictures.getByLabel(pictureInput).setInputFiles(await pictureFile('one.png', 60));
  const description = uploadList(pictures).getByLabel('Description');
  await description.fill('A red square');
  await openProfile(untouched, 'profile');

  await accountMenu(page).avatar.click();
  await accountMenu(page).logOut.click();
  await untouched.waitForURL('/auth?next=%2Fprofile#signed-out');
  await expect(accountMenu(editor).avatar).toBeHidden();
  await expect(accountMenu(profile).avatar).toBeHidden();
  await expect(accountMenu(pictures).avatar).toBeHidden();
  await expect(editor.getByLabel('Title')).toHaveValue('Early');
  await expect(profile.getByLabel('Full Name')).toHaveValue('Ann Typed');
  await expect(description).toHaveValue('A red square');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a form on the profile page redirects to the sign-in page, and back', async ({
    page,
    site,
    email,
  }) => {
    await signInNewUser(page, site, email);
    await page.goto('/profile');
    endSessions(site, email);
    await page.getByLabel('Username').fill('anna');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('/auth?next=%2Fprofile#signed-out');
    await expect(signedOut(page)).toBeInViewport();

    const { signIn, shown } = authForms(page);
    await signIn.send(email, 'wrong password');
    await page.waitForURL(/\/auth\/again\?.*&next=%2Fprofile#invalid-credentials$/);
    await expect(shown(accountMessages.signIn.wrong)).toBeInViewport();
    await signIn.send(email, password);
    await page.waitForURL('/profile');
    await expect(page.locator('main header')).toContainText(email);
  });
});
