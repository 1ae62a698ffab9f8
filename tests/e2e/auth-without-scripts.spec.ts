import { password } from '../support/account.ts';
import { authForms } from '../support/auth-forms.ts';
import { waitForConfirmationLink } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ javaScriptEnabled: false });

test('each error shows its notice on its form', { tag: '@full' }, async ({ page }) => {
  const { signUp, shown } = authForms(page);
  await page.goto('/auth#sign-up');
  await signUp.send('ann@example.com', 'password');
  await page.waitForURL(/\/auth\/again\?.*#sign-up-common$/);
  await expect(shown(/^This is one of the most common passwords/)).toBeInViewport();
  await expect(signUp.panel).toBeVisible();

  // Browsers do not know the maximum length.
  await signUp.send('ann@example.com', 'x'.repeat(257));
  await page.waitForURL(/\/auth\/again\?.*#sign-up-invalid$/);
  await expect(shown('Password must be at least 6 characters')).toBeInViewport();
  await expect(signUp.email).toHaveValue('ann@example.com');
});

test('the tabs switch, and an unconfirmed user requests another email and follows its link', async ({
  page,
  site,
  email,
}) => {
  const { signIn, signUp, shown, resend } = authForms(page);
  await page.goto('/auth');
  await expect(signIn.panel).toBeVisible();
  await expect(signUp.panel).toBeHidden();
  await expect(signIn.show).toBeHidden();
  await signUp.tab.click();
  await expect(signUp.panel).toBeVisible();
  await expect(signIn.panel).toBeHidden();
  await signUp.send(email, password);
  await page.waitForURL('/auth#signed-up');
  await signIn.send(email, password);
  await page.waitForURL(/\/auth\/again\?.*#not-confirmed$/);
  await expect(shown(/^Your email has not been confirmed\./)).toBeInViewport();

  await expect(resend).toBeVisible();
  await page.goto(await waitForConfirmationLink(site.dataDir, email));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('/blog');
});

test('each fragment shows only its own notice', { tag: '@full' }, async ({ page }) => {
  for (const [path, text] of [
    ['/auth#dead-link', 'It looks like there was an issue with your verification link.'],
    ['/auth#confirmation-sent', 'Confirmation email sent! Please check your inbox.'],
    ['/auth#resend-invalid', 'Email is required to resend confirmation'],
    ['/auth#too-many', 'Too many attempts'],
    ['/auth#failed', 'An unexpected error occurred'],
    ['/auth#account-deleted', 'Your account was deleted'],
    ['/auth?error=x#google-failed', 'Google sign-in failed'],
    ['/auth?link=google#google-link', /^You already have an account with this address\./],
    ['/auth/forgot#sent', 'Check your inbox'],
    ['/auth/forgot#too-many', 'Too many attempts'],
    ['/auth/forgot#dead-link', 'This link no longer works'],
  ] as const) {
    await page.goto(path);
    const notices = page.locator('.notice').filter({ visible: true });
    await expect(notices, path).toHaveCount(1);
    await expect(notices.getByText(text)).toBeInViewport();
  }
});
