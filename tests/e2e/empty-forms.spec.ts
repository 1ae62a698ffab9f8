import { accountMessages } from '@app/contract/accounts/messages';
import { careerMessages } from '@app/contract/forms/careers';
import { contactMessages } from '@app/contract/forms/contact';
import { newsletterMessages } from '@app/contract/forms/newsletter';
import { messages } from '@app/contract/messages';
import type { Locator, Page } from 'playwright/test';
import { addUser, expireRecentSignIn, password, signInNewUser } from '../support/account.ts';
import { authForms } from '../support/auth-forms.ts';
import { openDatabase } from '../support/database.ts';
import { waitForLink } from '../support/mailbox.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, test } from '../support/site-test.ts';

/**
 * Without JavaScript, and before the script of a form is loaded, the site's messages appear instead
 * of the browser's own validation.
 */

test.use({ javaScriptEnabled: false });

interface Visit {
  page: Page;
  site: SiteProcess;
  email: string;
}

interface Form {
  name: string;
  open: (visit: Visit) => Promise<unknown>;
  submit: (page: Page) => Locator;
  url: RegExp | string;
  shown: readonly string[];
}

const { emailRequired, emailInvalid, passwordRequired } = messages.field;
const settings = async ({ page, site, email }: Visit, setting: string) => {
  await signInNewUser(page, site, email);
  await page.goto('/profile#settings');
  await page.getByText(setting).click();
};

const forms: readonly Form[] = [
  {
    name: 'contact',
    open: ({ page }) => page.goto('/contact'),
    submit: (page) => page.getByRole('button', { name: 'Send message' }),
    url: /\/contact\/again\/./,
    shown: [contactMessages.nameRequired, emailRequired, contactMessages.messageRequired],
  },
  {
    name: 'careers',
    open: async ({ page }) => {
      await page.goto('/careers');
      await page.getByRole('button', { name: 'Send Your Resume' }).click();
    },
    submit: (page) => page.getByRole('button', { name: 'Send Inquiry' }),
    url: /\/careers\/again\/./,
    shown: [careerMessages.nameTooShort, emailInvalid, careerMessages.messageTooShort],
  },
  ...['/', '/blog', '/contact', '/auth'].map((path) => ({
    name: `newsletter on ${path}`,
    open: ({ page }: Visit) => page.goto(path),
    submit: (page: Page) => page.getByRole('button', { name: 'Subscribe', exact: true }),
    url: `${path}#newsletter-invalid`,
    shown: Object.values(newsletterMessages.invalid),
  })),
  {
    name: 'sign-in',
    open: ({ page }) => page.goto('/auth'),
    submit: (page) => authForms(page).signIn.submit,
    url: '/auth#email-password-required',
    shown: [emailRequired, passwordRequired],
  },
  {
    name: 'sign-in without a password',
    open: async ({ page, email }) => {
      await page.goto('/auth');
      await authForms(page).signIn.email.fill(email);
    },
    submit: (page) => authForms(page).signIn.submit,
    url: /\/auth\/again\?.*#password-required$/,
    shown: [passwordRequired],
  },
  {
    name: 'sign-up',
    open: ({ page }) => page.goto('/auth#sign-up'),
    submit: (page) => authForms(page).signUp.submit,
    url: '/auth#sign-up-email-password-required',
    shown: [emailRequired, passwordRequired],
  },
  {
    name: 'sign-up without an email',
    open: async ({ page }) => {
      await page.goto('/auth#sign-up');
      await authForms(page).signUp.password.fill('a quiet red van');
    },
    submit: (page) => authForms(page).signUp.submit,
    url: '/auth#sign-up-email-required',
    shown: [emailRequired],
  },
  {
    name: 'another confirmation email',
    open: ({ page }) => page.goto('/auth#dead-link'),
    submit: (page) => page.locator('#dead-link').getByRole('button', { name: /^Resend/ }),
    url: '/auth#resend-invalid',
    shown: [accountMessages.confirmation.emailRequired],
  },
  {
    name: 'forgotten password',
    open: ({ page }) => page.goto('/auth/forgot'),
    submit: (page) => page.getByRole('button', { name: 'Email me a link' }),
    url: '/auth/forgot#email-required',
    shown: [emailRequired],
  },
  {
    name: 'new password',
    open: async ({ page, site, email }) => {
      await addUser(site, email);
      const headers = { Origin: site.url };
      await page.request.post('/api/auth/forgot-password', { headers, data: { email } });
      await page.goto((await waitForLink(site.dataDir, email, '/auth/reset')).link);
    },
    submit: (page) => page.getByRole('button', { name: 'Save and sign in' }),
    url: /\/auth\/reset\?.*#password-required$/,
    shown: [passwordRequired],
  },
  {
    name: 'profile',
    open: async ({ page, site, email }) => {
      await signInNewUser(page, site, email);
      await page.goto('/profile');
      await page.getByLabel('Full Name').fill('');
    },
    submit: (page) => page.getByRole('button', { name: 'Save Changes' }),
    url: /\/profile\?.*#invalid$/,
    shown: [accountMessages.profile.updateFailed, accountMessages.profile.usernameTooShort],
  },
  {
    name: 'avatar',
    open: async ({ page, site, email }) => {
      await signInNewUser(page, site, email);
      await page.goto('/profile');
      await page.getByRole('button', { name: 'Change Avatar' }).click();
    },
    submit: (page) => page.getByRole('button', { name: 'Upload' }),
    url: '/profile#avatar-no-file',
    shown: ['No file selected'],
  },
  {
    name: 'password',
    open: (visit) => settings(visit, 'Change password'),
    submit: (page) => page.getByRole('button', { name: 'Save password' }),
    url: '/profile#password-required',
    shown: [passwordRequired],
  },
  {
    name: 'email address',
    open: (visit) => settings(visit, 'Change email'),
    submit: (page) => page.locator('#settings form[action="/api/auth/email"] button'),
    url: /\/profile\?.*#email-required$/,
    shown: [emailRequired],
  },
  {
    name: 'confirmation of a session',
    open: async (visit) => {
      await settings(visit, 'Change password');
      expireRecentSignIn(visit.site, visit.email);
      await visit.page.getByLabel('New password').fill('a quiet red van');
      await visit.page.getByRole('button', { name: 'Save password' }).click();
      await visit.page.waitForURL('/profile#again');
    },
    submit: (page) => page.getByRole('button', { name: 'Continue' }).filter({ visible: true }),
    url: '/profile#again-required',
    shown: [passwordRequired],
  },
];

for (const { name, open, submit, url, shown } of forms) {
  const isBrief = ['contact', 'sign-up', 'newsletter on /'].includes(name);
  test(`an empty form shows the site's messages: ${name}`, { tag: isBrief ? [] : '@full' }, async ({
    page,
    site,
    email,
  }) => {
    await open({ page, site, email });
    await submit(page).click();
    await page.waitForURL(url);
    for (const text of shown) {
      await expect(page.getByText(text).filter({ visible: true }).first()).toBeInViewport();
    }
  });
}

test('an account is not deleted without the checkbox', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/profile#settings');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('button', { name: 'Delete forever' }).click();
  const box = page.getByLabel('I understand that this cannot be undone.');
  await expect(box).toBeFocused();
  using db = openDatabase(site.dataDir);
  const accounts = db.$client.prepare('SELECT 1 FROM users WHERE email = ?').all(email);
  expect(accounts).toHaveLength(1);
});

test('a rejected form keeps what was typed, except passwords', { tag: '@phone' }, async ({
  page,
  site,
  email,
}) => {
  await page.goto('/auth/forgot');
  const emailField = page.getByRole('main').getByRole('textbox', { name: 'Email' });
  await emailField.fill('ann at example.com');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await page.waitForURL(/\/auth\/forgot\/again\?.*#invalid$/);
  await expect(page.getByText(emailInvalid).filter({ visible: true })).toBeInViewport();
  await expect(emailField).toHaveValue('ann at example.com');

  await signInNewUser(page, site, email);
  await page.goto('/profile');
  await page.getByLabel('Username').fill("ann's page");
  await page.getByLabel('Full Name').fill("Ann O'Hara & Söhne");
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.waitForURL(/\/profile\?.*#invalid$/);
  await expect(page.getByLabel('Username')).toHaveValue("ann's page");
  await expect(page.getByLabel('Full Name')).toHaveValue("Ann O'Hara & Söhne");

  await page.goto('/profile#settings');
  await page.getByText('Change email').click();
  await page.getByLabel('New email').fill('new at example.com');
  // The notice must not scroll the field out of view.
  await page.setViewportSize({ width: 360, height: 500 });
  const send = page.locator('#settings form[action="/api/auth/email"] button');
  await send.click();
  await page.waitForURL(/\/profile\?.*#email-invalid$/);
  await expect(page.getByLabel('New email')).toHaveValue('new at example.com');
  await expect(page.getByLabel('New email')).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(emailInvalid).filter({ visible: true })).toBeInViewport();

  await page.getByText('Change password').click();
  await page.getByLabel('New password').fill('12345');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.waitForURL('/profile#password-invalid');
  await page.getByText('Change password').click();
  await expect(page.getByLabel('New password')).toHaveValue('');
});

test('a new email is kept while the password is asked for', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  expireRecentSignIn(site, email);
  await page.goto('/profile#settings');
  await page.getByText('Change email').click();
  await page.getByLabel('New email').fill(`new-${email}`);
  await page.locator('#settings form[action="/api/auth/email"] button').click();
  await page.waitForURL(/\/profile\?.*#again$/);
  const secret = page
    .getByRole('textbox', { name: 'Password', exact: true })
    .filter({ visible: true });
  const go = page.getByRole('button', { name: 'Continue' }).filter({ visible: true });
  await secret.fill('not this one');
  await go.click();
  await page.waitForURL(/\/profile\?.*#again-wrong$/);
  await secret.fill(password);
  await go.click();
  await page.waitForURL(/\/profile\?.*#settings$/);
  await expect(page.getByLabel('New email')).toBeVisible();
  await expect(page.getByLabel('New email')).toHaveValue(`new-${email}`);
});
