import { password } from '../support/account.ts';
import { authForms } from '../support/auth-forms.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { refusal } from '../support/contact-form.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForConfirmationLink, waitForLink } from '../support/mailbox.ts';
import { expect, idle, test } from '../support/site-test.ts';

test.describe('form states pass axe', { tag: ['@full', '@phone'] }, () => {
  test('in the tabs: errors, refusals, waiting, toasts, signed up', async ({
    page,
    email,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 40[13]/, '/api/auth/sign-in');
    const { signIn, signUp, resend, shown, toast } = authForms(page);
    const found: string[] = [];
    const look = async (where: string) => found.push(...(await findingsInBothThemes(page, where)));

    await page.goto(`/auth?email=${encodeURIComponent(`other-${email}`)}`);
    await pressHydrated(resend);
    await expect(toast).toBeVisible();
    await look('resent');
    await page.goto('/auth');
    await pressHydrated(signIn.submit);
    await expect(signIn.email).toBeFocused();
    await look('errors');
    await signIn.send(email, password);
    await expect(shown('Sign-in failed')).toBeVisible();
    // While it is hovered, the toast stays.
    await toast.hover();
    await look('wrong, toast');
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await signIn.show.click();
    await look('wrong, settled');

    await page.route('/api/auth/sign-in', (route) =>
      route.fulfill(refusal(403, 'email_not_confirmed')),
    );
    await pressHydrated(signIn.submit);
    await expect(resend).toBeVisible();
    await look('not confirmed');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('/api/auth/sign-in', async (route) => {
      await released;
      await route.fulfill(refusal(403, 'email_not_confirmed'));
    });
    await pressHydrated(signIn.submit);
    await expect(shown('Signing in...')).toBeVisible();
    await look('waiting');
    release();

    await signUp.tab.click();
    await look('sign up');
    await signUp.send(email, password);
    await expect(shown(/Registration successful!/)).toBeVisible();
    await look('signed up');
    expect(found).toEqual([]);
  });

  test('on the pages that emailed links open', async ({ page, site, email }) => {
    const { signUp, shown } = authForms(page);
    await page.goto('/auth');
    await signUp.tab.click();
    await signUp.send(email, password);
    await page.goto(await waitForConfirmationLink(site.dataDir, email));
    const found = await findingsInBothThemes(page, 'confirm');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('/blog');
    // Requests of the page must finish before the next navigation.
    await idle(page);
    await page.context().clearCookies();

    await page.goto('/auth/forgot');
    await page.getByRole('main').getByRole('textbox', { name: 'Email' }).fill(email);
    await pressHydrated(page.getByRole('button', { name: 'Email me a link' }));
    await expect(shown('Check your inbox')).toBeVisible();
    found.push(...(await findingsInBothThemes(page, 'forgot')));
    await page.goto((await waitForLink(site.dataDir, email, '/auth/reset')).link);
    await pressHydrated(page.getByRole('button', { name: 'Save and sign in' }));
    await expect(page.getByLabel('New password')).toBeFocused();
    found.push(...(await findingsInBothThemes(page, 'reset')));
    expect(found).toEqual([]);
  });
});
