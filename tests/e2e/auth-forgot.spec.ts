import { accountMessages } from '@app/contract/accounts/messages';
import { password, signInNewUser } from '../support/account.ts';
import { authForms, expectToast } from '../support/auth-forms.ts';
import { refusal } from '../support/contact-form.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForLink } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

const newPassword = 'a quiet red van';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('an emailed link resets a forgotten password once', {
      tag: javaScriptEnabled ? '@full' : [],
    }, async ({ page, newVisitor, site, email, pageErrors }) => {
      const owner = await newVisitor({ javaScriptEnabled: true });
      await signInNewUser(owner, site, email);
      const auth = authForms(page);
      const { shown, signIn } = auth;

      await page.goto('/auth');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.waitForURL('/auth/forgot');
      await page.getByRole('main').getByRole('textbox', { name: 'Email' }).fill(email);
      await pressHydrated(page.getByRole('button', { name: 'Email me a link' }));
      await expect(shown('Check your inbox')).toBeVisible();
      await expect(shown(/^If an account exists for this address/)).toBeVisible();
      const { link } = await waitForLink(site.dataDir, email, '/auth/reset');

      if (javaScriptEnabled) pageErrors.expect(/status of 422/, '/api/auth/reset-password');
      await page.goto(link);
      const field = page.getByLabel('New password');
      await field.fill('password');
      await pressHydrated(page.getByRole('button', { name: 'Save and sign in' }));
      await expect(shown(/^This is one of the most common passwords/)).toBeVisible();
      if (javaScriptEnabled) await expect(field).toBeFocused();

      await field.fill(newPassword);
      await pressHydrated(page.getByRole('button', { name: 'Save and sign in' }));
      await page.waitForURL('/blog');
      if (javaScriptEnabled) {
        const { title, description } = accountMessages.password.changed;
        await expectToast(auth, title, description);
      }
      const session = await page.request.get('/api/auth/session');
      expect(await session.json()).toMatchObject({ user: { email } });
      const ended = await owner.request.get('/api/auth/session');
      expect(await ended.json()).toEqual({ user: null });

      await page.context().clearCookies();
      await page.goto(link);
      await page.waitForURL('/auth/forgot#dead-link');
      await expect(shown('This link no longer works')).toBeInViewport();

      if (javaScriptEnabled) pageErrors.expect(/status of 401/, '/api/auth/sign-in');
      await page.goto('/auth');
      await signIn.send(email, password);
      await expect(shown(accountMessages.signIn.wrong)).toBeVisible();
      await signIn.send(email, newPassword);
      await page.waitForURL('/blog');
    });
  });
}

test('a link that expires while its page is open redirects to the request form', {
  tag: '@full',
}, async ({ page, newVisitor, site, email, pageErrors }) => {
  const owner = await newVisitor();
  await signInNewUser(owner, site, email);
  await page.goto('/auth/forgot');
  await page.getByRole('main').getByRole('textbox', { name: 'Email' }).fill(email);
  await pressHydrated(page.getByRole('button', { name: 'Email me a link' }));
  const { link } = await waitForLink(site.dataDir, email, '/auth/reset');
  await page.goto(link);
  const used = await page.request.post('/api/auth/reset-password', {
    headers: { Origin: site.url },
    data: { token: new URL(link).searchParams.get('token'), password: newPassword },
  });
  expect(used.status()).toBe(200);
  await page.context().clearCookies();

  pageErrors.expect(/status of 410/, '/api/auth/reset-password');
  await page.getByLabel('New password').fill(newPassword);
  await pressHydrated(page.getByRole('button', { name: 'Save and sign in' }));
  await page.waitForURL('/auth/forgot#dead-link');
  await expect(authForms(page).shown('This link no longer works')).toBeVisible();
});

test('requires an email, and shows failures', { tag: '@full' }, async ({ page, pageErrors }) => {
  const auth = authForms(page);
  await page.goto('/auth/forgot');
  const email = page.getByRole('main').getByRole('textbox', { name: 'Email' });
  const send = page.getByRole('button', { name: 'Email me a link' });
  await pressHydrated(send);
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Email is required');

  pageErrors.expect(/status of 429/, '/api/auth/forgot-password');
  const detail = 'An email was sent just now. Please look into your inbox.';
  await page.route('/api/auth/forgot-password', (route) =>
    route.fulfill(refusal(429, 'too_many_requests', detail)),
  );
  await email.fill('ann@example.com');
  await email.press('Enter');
  await expectToast(auth, 'The link could not be sent', detail);
});
