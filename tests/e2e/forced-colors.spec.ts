import type { Locator } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ contextOptions: { forcedColors: 'active' } });

const expectEdge = (element: Locator): Promise<void> =>
  expect(element).toHaveCSS('border-top-width', '1px');

test('notices and avatars have edges', { tag: '@full' }, async ({ page, site, email }) => {
  await page.goto('/contact#sent');
  await expectEdge(page.locator('#sent'));

  await signInNewUser(page, site, email);
  await page.goto('/profile');
  await expectEdge(page.locator('[data-avatar]').first());
  await expectEdge(page.locator('#account-avatar'));
});

test('pressed buttons differ from others', { tag: '@full' }, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog/editor');
  const dark = page.getByRole('button', { name: 'Dark' });
  await expect(dark).toHaveAttribute('aria-pressed', 'false');
  const colorOf = () => dark.evaluate((element) => getComputedStyle(element).backgroundColor);
  const released = await colorOf();

  await dark.click();

  await expect(dark).toHaveAttribute('aria-pressed', 'true');
  expect(await colorOf()).not.toBe(released);
});
