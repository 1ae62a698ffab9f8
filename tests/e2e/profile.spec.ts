import { openProfile, signInNewUser } from '../support/account.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { refusal } from '../support/contact-form.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/site-test.ts';

test('visitors are redirected to the sign-in page, with a way back', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto('/profile');
  await page.waitForURL('/auth?next=%2Fprofile');
});

test('the form changes names, and shows errors at their fields', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email, null);
  await openProfile(page, 'profile');
  const username = page.getByLabel('Username');
  const fullName = page.getByLabel('Full Name');
  const save = page.getByRole('button', { name: 'Save Changes' });
  await expect(page.locator('main header > [data-avatar]')).toHaveText('U');

  await username.fill('an');
  await fullName.fill('A');
  await username.press('Enter');
  await expect(username).toHaveAccessibleDescription(/Username must be at least 3 characters/);
  await expect(fullName).toHaveAccessibleDescription(/Full name must be at least 2 characters/);
  await expect(username).toBeFocused();

  pageErrors.expect(/status of 422/, '/api/profile');
  await username.fill('admin');
  await fullName.fill('');
  await save.click();
  await expect(username).toHaveAccessibleDescription(/This username is reserved/);
  await expect(username).toBeFocused();

  const name = `u${email.slice(4, 12)}`;
  await username.fill(name);
  await fullName.fill('ann marie author');
  await save.click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await expect(page.getByText('Your profile has been updated successfully.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('ann marie author');
  await expect(page.locator('main header > [data-avatar]')).toHaveText('AM');
  await page.reload();
  await expect(username).toHaveValue(name);
  await expect(fullName).toHaveValue('ann marie author');
});

test('an error replaces the success toast of the same form', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  await page.getByLabel('Username').fill(`u${email.slice(4, 12)}`);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await page.getByLabel('Username').fill('an');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Username must be at least 3 characters')).toBeVisible();
  await expect(page.getByText('Profile updated')).toHaveCount(0);
});

test('retries while the server cannot store anything, without blaming the input', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  pageErrors.expect(/status of 503/, '/api/profile');
  const busy = {
    ...refusal(503, 'busy', 'The site cannot store anything just now.'),
    headers: { 'Retry-After': '1' },
  };
  const retried = Promise.withResolvers<void>();
  await page.route('/api/profile', (route) => retried.promise.then(() => route.continue()));
  await page.route('/api/profile', (route) => route.fulfill(busy), { times: 1 });
  await page.getByLabel('Username').fill(`u${email.slice(4, 12)}`);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  retried.resolve();
  await expect(page.getByText('Profile updated')).toBeVisible();

  await page.route('/api/profile', (route) =>
    route.fulfill({ ...busy, headers: { 'Retry-After': '60' } }),
  );
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(
    page.getByText('The site cannot store anything just now. What you typed is still here.'),
  ).toBeVisible();

  await page.unroute('/api/profile');
  pageErrors.expect(/status of 408/, '/api/profile');
  await page.route('/api/profile', (route) => route.fulfill(refusal(408, 'request_timeout')));
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(
    page.getByText('Sending took too long. Please check your connection and try again.'),
  ).toBeVisible();
});

test('a taken username shows an error at its field', { tag: '@full' }, async ({
  page,
  site,
  email,
  newVisitor,
  pageErrors,
}) => {
  const name = `u${email.slice(4, 12)}`;
  const other = await newVisitor();
  await signInNewUser(other, site, `other-${email}`);
  await other.request.patch('/api/profile', {
    data: { username: name },
    headers: { origin: site.url },
  });
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  pageErrors.expect(/status of 409/, '/api/profile');
  await page.getByLabel('Username').fill(name.toUpperCase());
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/is taken/);
});

test('saving disables the button; a failure shows an error and keeps the entries', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/profile', async (route) => {
    await released;
    await route.abort();
  });
  pageErrors.expect(/ERR_FAILED/, '/api/profile');
  await page.getByLabel('Username').fill('somebody');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  release();
  await expect(page.getByText('Update failed')).toBeVisible();
  await expect(page.getByText('What you typed is still here.')).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue('somebody');
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeEnabled();
});

test('the tabs work by keyboard, and a reload keeps the open one', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openProfile(page, 'profile');
  const profile = page.getByRole('tab', { name: 'Profile' });
  const settings = page.getByRole('tab', { name: 'Settings' });
  const note = page.getByText('More account settings coming soon.');
  await profile.focus();
  await page.keyboard.press('ArrowRight');
  await expect(settings).toBeFocused();
  await expect(settings).toHaveAttribute('aria-selected', 'true');
  await expect(note).toBeVisible();
  await page.reload();
  await expect(note).toBeVisible();
  await page.locator('[data-tabs][data-enhanced]').waitFor();
  await expect(note).toBeVisible();
  await settings.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(profile).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeVisible();
});

test('long names and addresses fit and pass axe', { tag: ['@full', '@phone'] }, async ({
  page,
  site,
  email,
}) => {
  const long = `${'a'.repeat(40)}-${email}`;
  await signInNewUser(page, site, long);
  const response = await page.request.patch('/api/profile', {
    data: { username: `u${email.slice(4, 12)}${'w'.repeat(21)}`, fullName: 'W'.repeat(100) },
    headers: { origin: site.url },
  });
  expect(response.status()).toBe(200);
  const found: string[] = [];
  for (const tab of ['profile', 'settings'] as const) {
    await openProfile(page, tab);
    await page.reload();
    await page.locator('[data-tabs][data-enhanced]').waitFor();
    await expectToFit(page);
    found.push(...(await findingsInBothThemes(page, tab)));
  }
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.locator('#account-menu')).toBeInViewport({ ratio: 1 });
  expect(found).toEqual([]);
});
