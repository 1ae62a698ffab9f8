import type { Locator, Page } from 'playwright/test';

export const accountMenu = (
  page: Page,
): Record<'avatar' | 'menu' | 'profile' | 'logOut' | 'signIn', Locator> => ({
  avatar: page.getByRole('button', { name: 'Your account' }),
  menu: page.locator('#account-menu'),
  profile: page.getByRole('menuitem', { name: 'Profile' }),
  logOut: page.getByRole('menuitem', { name: 'Log out' }),
  signIn: page.getByRole('contentinfo').getByRole('link', { name: 'Admin Sign In' }),
});
