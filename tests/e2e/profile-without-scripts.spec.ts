import { expireRecentSignIn, password, signInNewUser } from '../support/account.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ javaScriptEnabled: false });

test('without scripts, users change names and picture, switch tabs and log out', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/profile');
  await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('status').filter({ visible: true })).toHaveCount(0);
  const file = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });

  await page.getByLabel('Username').fill(`u${email.slice(4, 12)}`);
  await page.getByLabel('Full Name').fill('Nora Noscript');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.waitForURL('/profile#profile-updated');
  await expect(page.getByText('Profile updated')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nora Noscript');

  await page.getByLabel('Username').fill('admin');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.waitForURL(/\/profile\?.*#invalid$/);
  await expect(page.getByText('Update failed').filter({ visible: true })).toBeVisible();

  const dialog = page.getByRole('dialog', { name: 'Change Avatar' });
  const open = page.getByRole('button', { name: 'Change Avatar' });
  await open.click();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await page.waitForURL('/profile#avatar-no-file');
  await expect(page.getByText('No file selected')).toBeVisible();
  await open.click();
  await dialog
    .getByLabel('Picture')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: file });
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await page.waitForURL('/profile#avatar-updated');
  await expect(page.getByText('Avatar updated')).toBeVisible();
  await expect(page.locator('main header > [data-avatar] img')).toHaveAttribute(
    'src',
    /\/uploads\/avatars\//,
  );
  await open.click();
  await dialog.getByRole('button', { name: 'Remove picture' }).click();
  await page.waitForURL('/profile#avatar-removed');

  const note = page.getByText('More account settings coming soon.');
  await expect(note).toBeHidden();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(note).toBeVisible();
  await expect(page.getByLabel('Username')).toBeHidden();

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('/');
  const session = await page.request.get('/api/auth/session');
  expect(await session.json()).toEqual({ user: null });
});

test('without scripts, users reauthenticate, change the password and delete the account', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  expireRecentSignIn(site, email);
  await page.goto('/profile#settings');
  const typeNewPassword = async () => {
    await page.getByText('Change password').click();
    await page.getByLabel('New password').fill('a better horse');
    await page.getByRole('button', { name: 'Save password' }).click();
  };
  await typeNewPassword();
  await page.waitForURL('/profile#again');
  const again = page.getByText("Please confirm it's you").filter({ visible: true });
  const secret = page
    .getByRole('textbox', { name: 'Password', exact: true })
    .filter({ visible: true });
  const go = page.getByRole('button', { name: 'Continue' }).filter({ visible: true });
  await expect(again).toBeVisible();
  await secret.fill('not this one');
  await go.click();
  await page.waitForURL('/profile#again-wrong');
  await expect(page.getByText('Incorrect password.')).toBeVisible();
  await secret.fill(password);
  await go.click();
  await page.waitForURL('/profile#settings');
  await typeNewPassword();
  await page.waitForURL('/profile#password-changed');
  await expect(page.getByText('Password changed')).toBeVisible();

  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('I understand that this cannot be undone.').check();
  await dialog.getByRole('button', { name: 'Delete forever' }).click();
  await page.waitForURL('/auth#account-deleted');
  await expect(page.getByText('Your account was deleted')).toBeVisible();
});
