import { accountMessages } from '@app/contract/accounts/messages';
import { password, signInNewUser } from '../support/account.ts';
import { authForms, expectToast } from '../support/auth-forms.ts';
import { findings } from '../support/axe.ts';
import { pauseClock, runUntilVisible } from '../support/clock.ts';
import { refusal } from '../support/contact-form.ts';
import { goOffline } from '../support/go-offline.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { expectToFit } from '../support/layout.ts';
import { waitForConfirmationLink } from '../support/mailbox.ts';
import { expect, idle, test } from '../support/site-test.ts';

test('shows errors at the fields and focuses the first', async ({ page }) => {
  const { signIn, signUp } = authForms(page);
  await page.goto('/auth');
  for (const { tab, email, password: secret, submit } of [signIn, signUp]) {
    await tab.click();
    await pressHydrated(submit);
    await expect(email).toBeFocused();
    await expect(email).toHaveAccessibleDescription('Email is required');
    await expect(secret).toHaveAccessibleDescription(/Password is required$/);

    await email.fill('ann');
    await secret.fill('short');
    await secret.press('Enter');
    await expect(email).toBeFocused();
    await expect(email).toHaveAccessibleDescription('Please enter a valid email address.');
    await expect(secret).toHaveAccessibleDescription(/Password must be at least 6 characters$/);

    await email.fill('ann@example.com');
    await expect(email).toHaveAccessibleDescription('');
    await secret.press('Enter');
    await expect(secret).toBeFocused();
  }
  expect(await findings(page, 'with errors')).toEqual([]);
});

test('a wrong password shows a toast, whose message then stays in the form', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const auth = authForms(page);
  await signInNewUser(page, site, email);
  await page.context().clearCookies();
  await page.goto('/auth');
  pageErrors.expect(/status of 401/, '/api/auth/sign-in');
  await auth.signIn.send(email, 'wrong password');
  await expectToast(auth, 'Sign-in failed', 'Incorrect email or password.');
  await expect(auth.signIn.submit).toBeFocused();
  await expect(auth.signIn.password).toHaveValue('wrong password');

  await auth.toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(auth.toast).toHaveCount(0);
  await expect(auth.signIn.panel.getByText(accountMessages.signIn.wrong)).toBeVisible();

  await auth.signIn.password.fill(password);
  await auth.signIn.password.press('Enter');
  await page.waitForURL('/blog');
  await expectToast(auth, 'Signed in successfully', 'Welcome back!');
  await expect(page.getByRole('status').filter({ hasText: 'Welcome back!' })).toHaveCount(1);
  await auth.toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(auth.toast).toHaveCount(0);

  // The toast is shown only once, and /auth redirects signed-in users.
  await page.reload();
  await expect(page.locator('head > link[rel="manifest"]')).toBeAttached();
  await idle(page);
  await expect(auth.toast).toHaveCount(0);
  await page.goBack();
  await expect(page).not.toHaveURL(/\/auth/);
});

test('a toast after a redirect stays while hovered and disappears after a while', {
  tag: '@full',
}, async ({ page, site, email }) => {
  const auth = authForms(page);
  await signInNewUser(page, site, email);
  await page.context().clearCookies();
  await page.clock.install();
  await page.goto('/auth');
  await auth.signIn.send(email, password);
  await page.waitForURL('/blog');
  await pauseClock(page);
  // Toasts wait for the deferred styles.
  await runUntilVisible(page, auth.toast);
  const dismiss = auth.toast.getByRole('button', { name: 'Dismiss' });
  await dismiss.focus();
  await page.clock.runFor(60_000);
  await expect(auth.toast).toBeVisible();
  await dismiss.blur();
  await page.clock.runFor(9_000);
  await expect(auth.toast).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(auth.toast).toHaveCount(0);
});

test('the button is busy during the request and sends once', { tag: '@full' }, async ({
  page,
  email,
}) => {
  const { signIn, signUp } = authForms(page);
  let calls = 0;
  await page.route('/api/auth/*', () => {
    calls += 1;
  });
  await page.goto('/auth');
  for (const [{ tab, send, password: secret, panel }, busy] of [
    [signIn, 'Signing in...'],
    [signUp, 'Signing up...'],
  ] as const) {
    await tab.click();
    await send(email, password);
    await expect(panel.getByRole('button', { name: busy })).toBeDisabled();
    await secret.press('Enter');
  }
  await expect.poll(() => calls).toBe(2);
});

test('signing up clears the password, and an unconfirmed user requests the email again', async ({
  page,
  email,
  pageErrors,
}) => {
  const auth = authForms(page);
  await page.goto('/auth');
  await auth.signUp.tab.click();
  await auth.signUp.send(email, password);
  const instructions = 'Please check your email for confirmation instructions.';
  await expectToast(auth, 'Account created successfully', instructions);
  await expect(auth.shown(`Registration successful! ${instructions}`)).toBeVisible();
  await expect(auth.signUp.password).toHaveValue('');
  await expect(auth.signUp.email).toHaveValue(email);
  // This toast's message does not stay in the form, because a notice already says it.
  await auth.toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(auth.shown('Account created successfully')).toHaveCount(0);

  // Like another device.
  await page.context().clearCookies();
  pageErrors.expect(/status of 403/, '/api/auth/sign-in');
  await auth.signIn.tab.click();
  await auth.signIn.send(email, password);
  await expectToast(
    auth,
    'Email not confirmed',
    'Please check your email for a confirmation link or resend the confirmation email.',
  );
  await expect(
    auth.shown(
      'Your email has not been confirmed. Please check your inbox for a confirmation link.',
    ),
  ).toBeVisible();

  // Bypasses the API's limit on emails per minute.
  await page.route('/api/auth/resend-confirmation', (route) =>
    route.fulfill({ status: 202, json: { accepted: true } }),
  );
  const asked = page.waitForRequest('/api/auth/resend-confirmation');
  await pressHydrated(auth.resend);
  expect((await asked).postDataJSON()).toEqual({ email });
  await expectToast(
    auth,
    'Confirmation email sent',
    'Please check your inbox for the confirmation link',
  );
  await expect(auth.shown('Confirmation email sent! Please check your inbox.')).toBeVisible();
});

test('a rate limit shows how long to wait, until it expires', { tag: '@full' }, async ({
  page,
  pageErrors,
}) => {
  const auth = authForms(page);
  const detail = 'Too many sign-in attempts. Please wait 15 minutes.';
  pageErrors.expect(/status of 429/);
  await page.route('/api/auth/*', (route) =>
    route.fulfill({
      ...refusal(429, 'too_many_requests', detail),
      headers: { 'Retry-After': '900' },
    }),
  );
  await page.clock.install();
  await page.goto('/auth?email=ann@example.com');
  await pauseClock(page);
  await pressHydrated(auth.resend);
  await expectToast(auth, 'Failed to resend confirmation email', detail);
  await auth.signIn.send('ann@example.com', password);
  await expectToast(auth, 'Sign-in failed', detail);
  await page.clock.fastForward('14:00');
  await expect(auth.shown(detail)).toHaveCount(2);
  await page.clock.fastForward('02:00');
  await expect(auth.shown(detail)).toHaveCount(0);
});

test('an internal error shows its own text and keeps the entries', { tag: '@full' }, async ({
  page,
  email,
  pageErrors,
}) => {
  const auth = authForms(page);
  await page.goto('/auth');
  pageErrors.expect(/status of 500/);
  await page.route('/api/auth/*', (route) => route.fulfill(refusal(500, 'internal')));
  for (const [form, title, notice] of [
    [auth.signIn, 'Sign-in failed', 'Failed to sign in'],
    [auth.signUp, 'Sign-up failed', 'Failed to sign up'],
  ] as const) {
    await form.tab.click();
    await form.send(email, password);
    await expectToast(auth, title, 'An unexpected error occurred');
    await expect(auth.shown(notice)).toBeVisible();
    await expect(form.password).toHaveValue(password);
  }

  await page.unroute('/api/auth/*');
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, '/api/auth/sign-up');
  await goOffline(page);
  await pressHydrated(auth.signUp.submit);
  await expectToast(
    auth,
    'Sign-up failed',
    "We couldn't reach the server. What you typed is still here.",
  );
});

test.describe('the query', () => {
  test('email: is prefilled, and a new link can be requested', { tag: '@full' }, async ({
    page,
    email,
  }) => {
    const auth = authForms(page);
    await page.goto(`/auth?email=${encodeURIComponent(email)}`);
    await expect(
      auth.shown('It looks like there was an issue with your verification link.'),
    ).toBeVisible();
    await expect(auth.signIn.email).toHaveValue(email);
    await pressHydrated(auth.resend);
    await expect(auth.shown('Confirmation email sent! Please check your inbox.')).toBeVisible();
    await auth.signUp.tab.click();
    await expect(auth.signUp.email).toHaveValue(email);
  });

  test('email: does not replace an address that was typed before', { tag: '@full' }, async ({
    page,
  }) => {
    const { signIn, hydrated } = authForms(page);
    const { promise: typed, resolve } = Promise.withResolvers<void>();
    await page.route(/\/_astro\/.*\.js$/, async (route) => {
      await typed;
      await route.continue();
    });
    await page.goto('/auth?email=old@example.com', { waitUntil: 'commit' });
    await signIn.email.fill('new@example.com');
    resolve();
    await hydrated();
    await expect(page.getByText('issue with your verification link')).toBeVisible();
    await expect(signIn.email).toHaveValue('new@example.com');
    await expect(signIn.email).toBeFocused();
  });

  test('error: is shown as text', { tag: '@full' }, async ({ page }) => {
    const { shown } = authForms(page);
    await page.goto(`/auth?error=${encodeURIComponent('<b>Google</b> sign-in was canceled.')}`);
    await expect(shown('Authentication error: <b>Google</b> sign-in was canceled.')).toBeVisible();
  });

  test('email and error: both are shown', async ({ page, email }) => {
    const auth = authForms(page);
    await page.goto(`/auth?${new URLSearchParams({ email, error: 'access_denied' })}`);
    await expect(
      auth.shown('It looks like there was an issue with your verification link.'),
    ).toBeVisible();
    await expect(auth.shown('Authentication error: Google sign-in was canceled.')).toBeVisible();
    await expect(auth.resend).toHaveCount(1);
    await expect(auth.signIn.email).toHaveValue(email);
  });

  test('error: cannot reorder or flood the page', { tag: '@full' }, async ({ page }) => {
    await page.goto(`/auth?error=${encodeURIComponent(`\u202e${'x'.repeat(500)}`)}`);
    const notice = page.getByText('Authentication error:').filter({ visible: true });
    await expect(notice).toHaveText(`Authentication error: ${'x'.repeat(119)}…`);
    await expectToFit(page);
  });

  test('link: explains how to connect Google', { tag: '@full' }, async ({ page, email }) => {
    const auth = authForms(page);
    await page.goto(`/auth?link=google&email=${encodeURIComponent(email)}`);
    await expect(auth.shown(/^You already have an account with this address\./)).toBeVisible();
    await expect(auth.signIn.email).toHaveValue(email);
    await expect(auth.resend).toHaveCount(0);
  });
});

test('a notice requests another link and shows the result', { tag: '@full' }, async ({
  page,
  email,
}) => {
  const auth = authForms(page);
  await page.goto('/auth#dead-link');
  const notice = page.locator('#dead-link');
  const field = notice.getByRole('textbox', { name: 'Email' });
  await pressHydrated(auth.resend);
  await expect(field).toHaveAccessibleDescription('Email is required to resend confirmation');
  await expect(field).toBeFocused();
  await field.fill(email);
  await pressHydrated(auth.resend);
  await expect(notice.getByText('Confirmation email sent! Please check your inbox.')).toBeVisible();
});

test('signing up and in works by keyboard', { tag: '@full' }, async ({ page, site, email }) => {
  const auth = authForms(page);
  const { keyboard } = page;
  await page.goto('/auth');
  await auth.signIn.tab.focus();
  await auth.hydrated();
  await keyboard.press('ArrowRight');
  await expect(auth.signUp.tab).toBeFocused();
  await keyboard.press('Tab');
  await expect(auth.signUp.email).toBeFocused();
  await keyboard.type(email);
  await keyboard.press('Tab');
  await keyboard.type(password);
  await keyboard.press('Tab');
  await expect(auth.signUp.show).toBeFocused();
  await keyboard.press('Space');
  await expect(auth.signUp.password).toHaveAttribute('type', 'text');
  await keyboard.press('Tab');
  await expect(auth.signUp.submit).toBeFocused();
  await keyboard.press('Enter');
  await expect(auth.shown(/Registration successful!/)).toBeVisible();

  await page.goto(await waitForConfirmationLink(site.dataDir, email));
  await page.getByRole('button', { name: 'Confirm' }).focus();
  await keyboard.press('Enter');
  await page.waitForURL('/blog');

  await page.context().clearCookies();
  await page.goto('/auth');
  await auth.signIn.email.focus();
  await auth.hydrated();
  await keyboard.type(email);
  await keyboard.press('Tab');
  await keyboard.type(password);
  await keyboard.press('Enter');
  await page.waitForURL('/blog');
  await expect(page.locator('html')).toHaveClass(/\bsigned-in\b/);
});
