import { company } from '@app/site/company';
import { signInNewUser } from '../support/account.ts';
import { accountMenu } from '../support/account-menu.ts';
import { findings, findingsInFullRun } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, idle, test } from '../support/site-test.ts';

test('the menu shows the names, links to the profile and logs out', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email, null);
  const { avatar, menu, profile, logOut, signIn } = accountMenu(page);
  await page.goto('/about');
  await expect(signIn).toBeHidden();
  await avatar.click();
  await expect(menu.getByText(email)).toBeVisible();

  await profile.click();
  await page.waitForURL('/profile');
  await page.getByLabel('Username').fill(`u${email.slice(4, 12)}`);
  await page.getByLabel('Full Name').fill('Ann Author');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await avatar.click();
  await expect(menu.getByText('Ann Author')).toBeVisible();
  await expect(menu.getByText(`u${email.slice(4, 12)}`)).toBeVisible();
  await expect(menu.getByText(email)).toBeHidden();

  await page.goto('/about');
  await avatar.click();
  await logOut.click();
  await expect(page.getByText('Signed out successfully')).toBeVisible();
  await expect(page).toHaveURL('/about');
  await expect(avatar).toBeHidden();
  await expect(signIn).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('account'))).toBeNull();
  const session = await page.request.get('/api/auth/session');
  expect(await session.json()).toEqual({ user: null });
});

test('the company name is not cut off next to the avatar on the narrowest phones', {
  tag: '@full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/about');
  const name = page.getByRole('banner').getByRole('link', { name: company.name });
  await expect(name).toBeVisible();
  await expect
    .poll(() => name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    .toBe(0);
  await expectToFit(page);
});

test('a username equal to the full name appears once', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const name = `u${email.slice(4, 12)}`;
  await page.request.patch('/api/profile', {
    data: { username: name, fullName: name },
    headers: { origin: site.url },
  });
  await page.goto('/about');
  const { avatar, menu } = accountMenu(page);
  await idle(page);
  await avatar.click();
  await expect(menu.getByText(name)).toHaveCount(1);
});

test('the account menu works by keyboard', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.goto('/about');
  const { avatar, menu, profile, logOut } = accountMenu(page);
  for (const key of ['Enter', 'Space', 'ArrowDown']) {
    await avatar.focus();
    await page.keyboard.press(key);
    await expect(menu).toBeVisible();
    await expect(profile).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(avatar).toBeFocused();
  }
  await page.keyboard.press('ArrowUp');
  await expect(logOut).toBeFocused();
  for (const [key, item] of [
    ['ArrowDown', profile],
    ['ArrowDown', logOut],
    ['Home', profile],
    ['End', logOut],
    ['ArrowUp', profile],
    ['ArrowUp', logOut],
  ] as const) {
    await page.keyboard.press(key);
    await expect(item).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(menu).toBeHidden();
  await expect(page.locator(':focus')).toBeVisible();
});

test('a failed logout shows an error', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/about');
  const { avatar, logOut } = accountMenu(page);
  await page.route('**/api/auth/sign-out', (route) => route.abort());
  pageErrors.expect(/ERR_FAILED/, '/api/auth/sign-out');
  await avatar.click();
  await logOut.click();
  await expect(page.getByRole('alert').getByText('Sign-out failed')).toBeVisible();
  await expect(avatar).toBeVisible();
});

test('the account menu passes axe', { tag: ['@full', '@phone'] }, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.goto('/terms');
  const { avatar, menu } = accountMenu(page);
  const found = await findingsInFullRun(page, 'closed');
  await avatar.click();
  await expect(menu).toBeInViewport({ ratio: 1 });
  found.push(...(await findings(page, 'open')));
  expect(found).toEqual([]);
});
