import type { Page } from 'playwright/test';
import { openProfile, signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { expect, test } from '../support/site-test.ts';

const parts = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Change Avatar' });
  return {
    open: page.getByRole('button', { name: 'Change Avatar' }),
    dialog,
    picker: dialog.getByLabel('Picture'),
    upload: dialog.getByRole('button', { name: 'Upload' }),
    avatar: page.locator('main header > [data-avatar] img'),
  };
};

const picture = async (page: Page) => ({
  name: 'me.png',
  mimeType: 'image/png',
  buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } }),
});

test('a picture is previewed, uploaded, shown everywhere and removed', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  const { open, dialog, picker, upload, avatar } = parts(page);
  const file = await picture(page);
  await open.click();
  await expect(picker).toHaveAttribute('accept', 'image/*');
  await picker.setInputFiles(file);
  await expect(dialog.locator('[data-avatar] img')).toHaveAttribute('src', /^data:image\/png/);
  await upload.click();
  await expect(page.getByText('Avatar updated')).toBeVisible();
  await expect(page.getByText('Your profile picture has been updated successfully')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(avatar).toHaveAttribute('src', /^\/uploads\/avatars\/.+\/avatar-\d+\.webp$/);
  await expect(avatar).toHaveAttribute('data-loaded');

  await open.click();
  await dialog.getByRole('button', { name: 'Remove picture' }).click();
  await expect(page.getByText('Picture removed')).toBeVisible();
  await expect(avatar).toHaveCount(0);
  await expect
    .poll(() =>
      page
        .locator('#account-avatar')
        .evaluate((avatar) => getComputedStyle(avatar, '::before').content),
    )
    .toBe('"A"');
});

test('an unusable picture is rejected with a reason', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  const { open, dialog, picker, upload } = parts(page);
  await open.click();

  await upload.click();
  await expect(dialog.getByText('No file selected')).toBeVisible();

  await picker.setInputFiles({
    name: 'large.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(5_242_881),
  });
  await expect(dialog.getByText('The image is larger than 5 MB.')).toBeVisible();
  await expect(picker).toHaveValue('');

  pageErrors.expect(/status of 422/, '/api/profile/avatar');
  await picker.setInputFiles({
    name: 'drawing.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await upload.click();
  await expect(dialog.getByText('Upload failed')).toBeVisible();
  await expect(dialog.getByText("We couldn't read this image.")).toBeVisible();
  await expect(upload).toBeEnabled();
  expect(await findingsInFullRun(page, 'refused')).toEqual([]);
});

test('an upload disables the buttons and shows a spinner', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  const { open, dialog, picker } = parts(page);
  const file = await picture(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/profile/avatar', async (route) => {
    await released;
    await route.abort();
  });
  pageErrors.expect(/ERR_FAILED/, '/api/profile/avatar');
  await open.click();
  await picker.setInputFiles(file);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await expect(dialog.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await expect(dialog.locator('[data-spinner]')).toBeVisible();
  expect(await findingsInFullRun(page, 'uploading')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  release();
  await expect(dialog.getByText('Upload failed')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Upload' })).toBeEnabled();
});

test('the initials show when the picture fails to load', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email, null);
  await openProfile(page, 'profile');
  const { open, picker, upload, avatar } = parts(page);
  const file = await picture(page);
  await open.click();
  await picker.setInputFiles(file);
  await upload.click();
  await expect(avatar).toHaveAttribute('data-loaded');
  await page.route('**/uploads/**', (route) =>
    route.fulfill({ contentType: 'image/webp', body: 'no picture' }),
  );
  await page.goto('/profile?again');
  await page.locator('[data-tabs][data-enhanced]').waitFor();
  await expect(avatar).not.toHaveAttribute('data-loaded');
  await expect(page.locator('main header > [data-avatar]')).toHaveText('U');
});
