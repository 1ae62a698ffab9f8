import { accountMessages } from '@app/contract/accounts/messages';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import type { Page } from 'playwright/test';
import { password, signInNewUser } from '../support/account.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForConfirmationLink } from '../support/mailbox.ts';
import { test as withGoogle } from '../support/pages-test.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { test as base, expect } from '../support/site-test.ts';

const test = withGoogle.extend<{ person: Record<string, unknown> }>({
  person: [
    async ({ provider, pageErrors, email }, use) => {
      pageErrors.expect(/requested another host/);
      provider.person = { sub: `sub-of-${email}`, email, email_verified: true, name: 'Ann Author' };
      await use(provider.person);
    },
    { auto: true },
  ],
});

async function goToProvider(
  page: Page,
  choice: 'Continue' | 'Cancel',
  path = '/api/auth/google',
): Promise<void> {
  await page.goto(path);
  await expect(page).toHaveTitle('Provider');
  await page.getByRole('link', { name: choice }).click();
}

async function userOf(page: Page, site: SiteProcess): Promise<SessionReply['user']> {
  const response = await page.request.get(`${site.url}/api/auth/session`);
  return ((await response.json()) as SessionReply).user;
}

const signInCookies = async (page: Page): Promise<string[]> =>
  (await page.context().cookies())
    .map(({ name }) => name)
    .filter((name) => name.includes('google'));

async function signIn(page: Page, email: string): Promise<void> {
  const panel = page.getByRole('tabpanel', { name: 'Sign In' });
  await panel.locator('input[name="email"]').fill(email);
  await panel.locator('input[name="password"]').fill(password);
  await pressHydrated(panel.getByRole('button', { name: 'Sign In', exact: true }));
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a new user signs up, and later signs in to the same account', {
      tag: javaScriptEnabled ? [] : '@full',
    }, async ({ page, site, email, person, newVisitor }) => {
      await goToProvider(page, 'Continue');
      await page.waitForURL('/blog');
      const user = await userOf(page, site);
      expect(user).toMatchObject({ email, fullName: person['name'] });
      expect(await signInCookies(page)).toEqual([]);

      const another = await newVisitor();
      await goToProvider(another, 'Continue');
      await another.waitForURL('/blog');
      expect(await userOf(another, site)).toEqual(user);
    });

    test('linking an existing account requires its password', {
      tag: javaScriptEnabled ? '@full' : [],
    }, async ({ page, site, email, newVisitor }) => {
      const before = await newVisitor({ javaScriptEnabled: true });
      await signInNewUser(before, site, email);
      const user = await userOf(before, site);

      await goToProvider(page, 'Continue');
      await page.waitForURL(/\/auth\?link=google/);
      expect(await userOf(page, site)).toBeNull();
      await signIn(page, email);
      await page.waitForURL(javaScriptEnabled ? '/blog' : '/profile#google-linked');
      const notice = page.getByText(accountMessages.google.linked.title).filter({ visible: true });
      await expect(notice).toBeVisible();
      expect(await userOf(page, site)).toEqual(user);
      expect(await signInCookies(page)).toEqual([]);

      const another = await newVisitor();
      await goToProvider(another, 'Continue');
      await another.waitForURL('/blog');
      expect(await userOf(another, site)).toEqual(user);
    });
  });
}

test('reauthentication returns to the settings', { tag: '@full' }, async ({ page, person }) => {
  await goToProvider(page, 'Continue');
  await page.waitForURL('/blog');

  await goToProvider(page, 'Continue', '/api/auth/google?again');
  await page.waitForURL('/profile#google-failed');
  await expect(page.locator('#google-failed')).toHaveText(accountMessages.google.failed);
  const toast = page.locator('.toast:popover-open').getByRole('paragraph');
  await expect(toast).toHaveText(accountMessages.google.failed);

  person['auth_time'] = Math.floor(Date.now() / 1_000) + 1;
  await goToProvider(page, 'Continue', '/api/auth/google?again');
  await page.waitForURL('/profile#settings');
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible();
});

test('a canceled sign-in shows a toast and a notice', { tag: '@full' }, async ({ page, site }) => {
  await goToProvider(page, 'Cancel');
  const toast = page.locator('.toast:popover-open').getByRole('paragraph');
  await expect(toast).toHaveText('Google sign-in failed');
  await expect(
    page.getByText(`Authentication error: ${accountMessages.google.canceled}`),
  ).toBeVisible();
  expect(await userOf(page, site)).toBeNull();
});

test('an unverified email cannot sign in', { tag: '@full' }, async ({ page, site, person }) => {
  person['email_verified'] = false;
  await goToProvider(page, 'Continue');
  await expect(
    page.getByText(`Authentication error: ${accountMessages.google.unverified}`),
  ).toBeVisible();
  expect(await userOf(page, site)).toBeNull();
});

test('signing up first with someone else’s address gains no access', { tag: '@full' }, async ({
  page,
  site,
  email,
  person,
  newVisitor,
}) => {
  const stranger = await newVisitor();
  await stranger.goto('/auth#sign-up');
  const panel = stranger.getByRole('tabpanel', { name: 'Sign Up' });
  await panel.locator('input[name="email"]').fill(email);
  await panel.locator('input[name="password"]').fill(password);
  await pressHydrated(panel.getByRole('button', { name: 'Sign Up', exact: true }));
  const link = await waitForConfirmationLink(site.dataDir, email);

  await goToProvider(page, 'Continue');
  await page.waitForURL('/blog');
  expect(await userOf(page, site)).toMatchObject({ email, fullName: person['name'] });

  await stranger.goto(link);
  await stranger.waitForURL(/\/auth/);
  const signIn = async (visitor: Page) => {
    const response = await visitor.request.post(`${site.url}/api/auth/sign-in`, {
      headers: { Origin: site.url },
      data: { email, password },
    });
    return response.status();
  };
  // The account has no password now.
  expect(await signIn(stranger)).toBe(401);
  expect(await signIn(await newVisitor())).toBe(401);
});

test('the sign-in cookies are in the cookie policy', { tag: '@full' }, async ({
  page,
  site,
  email,
  newVisitor,
}) => {
  await page.goto('/cookies');
  const listed = await page.getByRole('table').getByRole('rowheader').allTextContents();
  const before = await newVisitor();
  await signInNewUser(before, site, email);

  await page.goto('/api/auth/google');
  const outgoing = await signInCookies(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL(/\/auth\?link=google/);
  const returning = await signInCookies(page);

  expect([outgoing, returning]).toEqual([['google-state'], ['google-link']]);
  for (const name of [...outgoing, ...returning]) expect(listed).toContain(`__Host-${name}`);
});

base('a site without Google says so', { tag: '@full' }, async ({ page }) => {
  await page.goto('/api/auth/google');
  await expect(
    page.getByText(`Authentication error: ${accountMessages.google.notSetUp}`),
  ).toBeVisible();
});
