import { accountMessages } from '@app/contract/accounts/messages';
import { careerMessages } from '@app/contract/forms/careers';
import type { CDPSession, Locator, Page } from 'playwright/test';
import { addUser, password, signInAs, signInNewUser } from '../support/account.ts';
import { authForms } from '../support/auth-forms.ts';
import { contactForm, contactRowsOf, listenToPosts } from '../support/contact-form.ts';
import { openDatabase } from '../support/database.ts';
import { hydrated } from '../support/hydrated.ts';
import { waitForEmail, waitForLink } from '../support/mailbox.ts';
import { pictureFile } from '../support/pictures.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, test } from '../support/site-test.ts';

/** On slow lines, people use a form before its script is loaded. */

/**
 * Holds the scripts of forms, but not those of pages, which Chromium runs before it looks for the
 * target of the fragment.
 * @returns a function that releases them
 */
async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(/\/_astro\/(?!page-scripts|.*astro_type_script).*\.js$/, async (route) => {
    await held.promise;
    // The page may be gone.
    await route.continue().catch(() => undefined);
  });
  return held.resolve;
}

/** Waits until the browser has sent a form: its actual headers or its response are known. */
const postSent = (network: CDPSession): Promise<void> =>
  new Promise((resolve) => {
    const posts = new Set<string>();
    const sent = new Set<string>();
    const check = () => {
      if (!posts.isDisjointFrom(sent)) resolve();
    };
    network.on('Network.requestWillBeSent', ({ request, requestId, redirectResponse }) => {
      if (request.method === 'POST') posts.add(requestId);
      if (redirectResponse) sent.add(requestId);
      check();
    });
    network.on('Network.requestWillBeSentExtraInfo', ({ requestId }) => {
      sent.add(requestId);
      check();
    });
  });

interface Visit {
  page: Page;
  site: SiteProcess;
  email: string;
}

interface Form {
  name: string;
  path: string | ((visit: Visit) => Promise<string>);
  /** Before the page is opened. */
  prepare?: (visit: Visit) => Promise<void>;
  fill: (visit: Visit) => Promise<void>;
  button: (page: Page) => Locator;
  /** The URL of the result. */
  result: string;
  /** What the visitor sees there. */
  shown: string | RegExp;
  isStored: (visit: Visit) => boolean | Promise<boolean>;
}

const countOf = ({ dataDir }: SiteProcess, from: string, ...values: string[]): number => {
  using db = openDatabase(dataDir);
  return db.$client.prepare(`SELECT 1 FROM ${from}`).all(...values).length;
};
const hasEmail = async ({ site, email }: Visit, subject: RegExp): Promise<boolean> =>
  (await waitForEmail(
    site.dataDir,
    (sent) => sent.to?.[0]?.address === email && subject.test(sent.subject ?? ''),
  )) !== undefined;
const main = (page: Page) => page.getByRole('main');
const signedIn = ({ page, site, email }: Visit) => signInNewUser(page, site, email);
const hasAccount = ({ site, email }: Visit) => addUser(site, email);
const ofUser = 'IN (SELECT id FROM users WHERE email = ?)';

const newsletterOn = (path: string): Form => ({
  name: `newsletter on ${path}`,
  path,
  fill: ({ page, email }) => page.locator('#newsletter-email').fill(email),
  button: (page) => page.getByRole('button', { name: 'Subscribe', exact: true }),
  result: `${path}#newsletter-subscribed`,
  shown: 'Subscription successful',
  isStored: ({ site, email }) =>
    countOf(site, 'newsletter_subscriptions WHERE email = ?', email) === 1,
});

const forms: readonly Form[] = [
  {
    name: 'contact',
    path: '/contact',
    fill: async ({ page, email }) => {
      await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera Visitor');
      await page.getByRole('textbox', { name: 'Email' }).fill(email);
      await page.getByRole('textbox', { name: 'Message' }).fill('The phone\nrings.');
    },
    button: (page) => page.getByRole('button', { name: 'Send message' }),
    result: '/contact#sent',
    shown: 'Message sent!',
    isStored: ({ site, email }) => contactRowsOf(site.dataDir, email).length === 1,
  },
  ...['/', '/blog', '/contact', '/auth'].map(newsletterOn),
  {
    name: 'careers',
    path: '/careers',
    fill: async ({ page, email }) => {
      await page.getByRole('button', { name: 'Send Your Resume' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Full Name' }).fill('Jo Maker');
      await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
      await dialog.getByRole('textbox', { name: 'Message' }).fill('I build things.');
    },
    button: (page) => page.getByRole('button', { name: 'Send Inquiry' }),
    result: '/careers#sent',
    shown: careerMessages.sent,
    isStored: ({ site, email }) => countOf(site, 'career_inquiries WHERE email = ?', email) === 1,
  },
  {
    name: 'sign-in',
    path: '/auth',
    prepare: hasAccount,
    fill: async ({ page, email }) => {
      const { signIn } = authForms(page);
      await signIn.email.fill(email);
      await signIn.password.fill(password);
    },
    button: (page) => authForms(page).signIn.submit,
    result: '/blog',
    shown: 'Insights and updates from our team',
    isStored: ({ site, email }) => countOf(site, `sessions WHERE user_id ${ofUser}`, email) === 1,
  },
  {
    name: 'sign-up',
    path: '/auth',
    fill: async ({ page, email }) => {
      const { signUp } = authForms(page);
      await signUp.tab.click();
      await signUp.email.fill(email);
      await signUp.password.fill(password);
    },
    button: (page) => authForms(page).signUp.submit,
    result: '/auth#signed-up',
    shown: accountMessages.signUp.doneNotice,
    isStored: (visit) => hasEmail(visit, /./),
  },
  {
    name: 'another confirmation email',
    path: '/auth#dead-link',
    prepare: async ({ page, site, email }) => {
      await page.request.post('/api/auth/sign-up', {
        headers: { Origin: site.url },
        data: { email, password },
      });
    },
    fill: ({ page, email }) =>
      page.locator('#dead-link').getByRole('textbox', { name: 'Email' }).fill(email),
    button: (page) => page.locator('#dead-link').getByRole('button', { name: /^Resend/ }),
    result: '/auth#confirmation-sent',
    shown: accountMessages.confirmation.sentNotice,
    isStored: (visit) => hasEmail(visit, /./),
  },
  {
    name: 'forgotten password',
    path: '/auth/forgot',
    prepare: hasAccount,
    fill: ({ page, email }) => main(page).getByRole('textbox', { name: 'Email' }).fill(email),
    button: (page) => page.getByRole('button', { name: 'Email me a link' }),
    result: '/auth/forgot#sent',
    shown: 'Check your inbox',
    isStored: (visit) => hasEmail(visit, /./),
  },
  {
    name: 'new password',
    path: async ({ page, site, email }) => {
      await page.request.post('/api/auth/forgot-password', {
        headers: { Origin: site.url },
        data: { email },
      });
      return (await waitForLink(site.dataDir, email, '/auth/reset')).link;
    },
    prepare: hasAccount,
    fill: ({ page }) => page.getByLabel('New password').fill('a quiet red van'),
    button: (page) => page.getByRole('button', { name: 'Save and sign in' }),
    result: '/blog',
    shown: 'Insights and updates from our team',
    isStored: ({ site, email }) => countOf(site, `sessions WHERE user_id ${ofUser}`, email) === 1,
  },
  {
    name: 'profile',
    path: '/profile',
    prepare: signedIn,
    fill: async ({ page, email }) => {
      await page.getByLabel('Username').fill(email.slice(0, 12));
      await page.getByLabel('Full Name').fill('Ann Author');
    },
    button: (page) => page.getByRole('button', { name: 'Save Changes' }),
    result: '/profile#profile-updated',
    shown: 'Profile updated',
    isStored: ({ site, email }) =>
      countOf(site, `profiles WHERE full_name = 'Ann Author' AND id ${ofUser}`, email) === 1,
  },
  {
    name: 'avatar',
    path: '/profile',
    prepare: signedIn,
    fill: async ({ page }) => {
      await page.getByRole('button', { name: 'Change Avatar' }).click();
      await page.getByLabel('Picture').setInputFiles(await pictureFile('me.png', 40));
    },
    button: (page) => page.getByRole('button', { name: 'Upload' }),
    result: '/profile#avatar-updated',
    shown: 'Avatar updated',
    isStored: ({ site, email }) =>
      countOf(site, `profiles WHERE avatar_url IS NOT NULL AND id ${ofUser}`, email) === 1,
  },
  {
    name: 'password',
    path: '/profile#settings',
    prepare: signedIn,
    fill: async ({ page }) => {
      await page.getByText('Change password').click();
      await page.getByLabel('New password').fill('a quiet red van');
    },
    button: (page) => page.getByRole('button', { name: 'Save password' }),
    result: '/profile#password-changed',
    shown: 'Password changed',
    isStored: (visit) => hasEmail(visit, /password/i),
  },
  {
    name: 'email address',
    path: '/profile#settings',
    prepare: signedIn,
    fill: async ({ page, email }) => {
      await page.getByText('Change email').click();
      await page.getByLabel('New email').fill(`new-${email}`);
    },
    button: (page) => page.locator('#settings form[action="/api/auth/email"] button'),
    result: '/profile#email-sent',
    shown: 'Check the inbox of your new address',
    isStored: (visit) => hasEmail({ ...visit, email: `new-${visit.email}` }, /./),
  },
  {
    name: 'account deletion',
    path: '/profile#settings',
    prepare: signedIn,
    fill: async ({ page }) => {
      await page.getByRole('button', { name: 'Delete account' }).click();
      await page.getByLabel('I understand that this cannot be undone.').check();
    },
    button: (page) => page.getByRole('button', { name: 'Delete forever' }),
    result: '/auth#account-deleted',
    shown: 'Your account was deleted',
    isStored: ({ site, email }) => countOf(site, 'users WHERE email = ?', email) === 0,
  },
  {
    name: 'log out',
    path: '/profile#settings',
    prepare: signedIn,
    fill: async () => undefined,
    button: (page) => page.locator('#settings').getByRole('button', { name: 'Log out' }),
    result: '/',
    shown: 'Discover More',
    isStored: ({ site, email }) => countOf(site, `sessions WHERE user_id ${ofUser}`, email) === 0,
  },
];

const open = async ({ prepare, path }: Form, visit: Visit): Promise<void> => {
  await prepare?.(visit);
  const url = typeof path === 'string' ? path : await path(visit);
  // Module scripts delay the load event.
  await visit.page.goto(url, { waitUntil: 'commit' });
};

const typedIn = (page: Page): Promise<string[]> =>
  page
    .locator('form :is(input:not([type=hidden]), textarea)')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

for (const form of forms) {
  test.describe(form.name, { tag: form.name === 'contact' ? [] : '@full' }, () => {
    test('works before its script is loaded', async ({ page, site, email }) => {
      const visit = { page, site, email };
      await holdScripts(page);
      await open(form, visit);
      await form.fill(visit);
      await form.button(page).click();
      await page.waitForURL(form.result, { waitUntil: 'commit' });
      await expect(page.getByText(form.shown).filter({ visible: true }).first()).toBeVisible();
      expect(await form.isStored(visit)).toBe(true);
    });

    test('is stored if the visitor leaves at once', async ({ page, site, email, pageErrors }) => {
      const visit = { page, site, email };
      // Routes would hide when the request is really sent.
      const network = await page.context().newCDPSession(page);
      await network.send('Network.enable');
      await network.send('Network.setBlockedURLs', { urls: ['*/_astro/*.js'] });
      pageErrors.expect(/ERR_BLOCKED_BY_CLIENT|inspector|Error hydrating/);
      await open(form, visit);
      await form.fill(visit);
      const sent = postSent(network);
      await form.button(page).click({ noWaitAfter: true });
      await sent;
      await page.close();
      await expect.poll(() => form.isStored(visit)).toBe(true);
    });

    test('keeps what was typed when its script arrives', async ({ page, site, email }) => {
      const visit = { page, site, email };
      const release = await holdScripts(page);
      await open(form, visit);
      await form.fill(visit);
      const typed = await typedIn(page);
      const button = form.button(page);
      release();
      await button.hover();
      const path = new URL(page.url()).pathname;
      if (path === '/profile') await page.locator('[data-tabs][data-enhanced]').waitFor();
      else await hydrated(page, button);
      expect(await typedIn(page)).toEqual(typed);
      await expect(button).toBeVisible();
      await expect(button).toBeEnabled();
    });
  });
}

test('a message that is sent again once the script is there is stored once', async ({
  page,
  site,
  email,
}) => {
  const { fill, send, shown } = contactForm(page);
  const release = await holdScripts(page);
  // The answer is lost: 204 leaves the page open.
  await page.route('/api/contact', async (route) => {
    if (!route.request().isNavigationRequest()) return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.fulfill({ status: 204 });
  });
  const posts = listenToPosts(page, '/api/contact');
  await page.goto('/contact', { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera Visitor');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Message' }).fill('The phone\nrings.');
  await send.click({ noWaitAfter: true });
  await expect.poll(() => contactRowsOf(site.dataDir, email).length).toBe(1);

  release();
  await hydrated(page, page.getByRole('textbox', { name: 'Message' }));
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  expect(posts.keys()).toEqual([undefined, expect.any(String)]);
  expect(contactRowsOf(site.dataDir, email)).toHaveLength(1);

  // It is not offered again.
  await page.goto('/contact');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('');
  await fill(email, 'It still rings.');
  await send.click();
  await expect.poll(() => contactRowsOf(site.dataDir, email).length).toBe(2);
});

test('a draft that was posted natively is not restored', async ({ page, site, email }) => {
  const { field, fill, send, shown } = contactForm(page);
  await page.goto('/contact');
  await fill(email);
  await page.reload();
  await expect(field('Message')).toHaveValue('The phone rings.');
  await page.route('**/_astro/ContactForm*', () => undefined);
  await page.reload();
  await expect(field('Message')).toHaveValue('The phone rings.');
  await send.click();
  await page.waitForURL('/contact#sent');
  await expect(shown('Message sent!')).toBeVisible();
  await expect(field('Message')).toHaveValue('');
  expect(contactRowsOf(site.dataDir, email)).toHaveLength(1);

  // Text that was typed since survives a reload.
  await page.unroute('**/_astro/ContactForm*');
  await field('Message').fill('It still rings.');
  await page.reload();
  await expect(field('Message')).toHaveValue('It still rings.');
});

test('a dialog that was opened before its script becomes modal and keeps the focus', async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto('/careers', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Send Your Resume' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Your Resume' });
  const message = dialog.getByRole('textbox', { name: 'Message' });
  await message.pressSequentially('I build ');
  release();
  await expect(page.locator('dialog:modal')).toBeVisible();
  await expect(message).toBeFocused();
  await page.keyboard.type('things.');
  await expect(message).toHaveValue('I build things.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Send Your Resume' })).toBeFocused();
});

test('the tabs of the sign-in page switch before their script is loaded', async ({
  page,
  site,
  email,
}) => {
  await addUser(site, email);
  await signInAs(page, site, email);
  for (const [path, first, second] of [
    ['/profile', 'Profile', 'Settings'],
    ['/auth', 'Sign In', 'Sign Up'],
  ] as const) {
    if (path === '/auth') await page.context().clearCookies();
    const release = await holdScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('tab', { name: second }).click();
    await expect(page.getByRole('tabpanel', { name: second })).toBeVisible();
    await expect(page.getByRole('tabpanel', { name: first })).toBeHidden();
    release();
    await page.getByRole('tab', { name: second }).hover();
    await expect(page.locator('[data-tabs][data-enhanced]')).toBeVisible();
    await expect(page.getByRole('tabpanel', { name: second })).toBeVisible();
    await page.getByRole('tab', { name: first }).click();
    await expect(page.getByRole('tabpanel', { name: first })).toBeVisible();
  }
});

test('the first arrow key opens the other tab', async ({ page, site, email }) => {
  await addUser(site, email);
  await signInAs(page, site, email);
  for (const [path, first, second] of [
    ['/profile', 'Profile', 'Settings'],
    ['/auth', 'Sign In', 'Sign Up'],
  ] as const) {
    if (path === '/auth') await page.context().clearCookies();
    const held = Promise.withResolvers<void>();
    await page.route(/\/_astro\/(?:AuthForms|ProfileScreen).*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(path);
    await page.getByRole('tab', { name: first }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: second })).toBeFocused();
    await expect(page.getByRole('tabpanel', { name: second })).toBeVisible();
    await expect(page.getByRole('tabpanel', { name: first })).toBeHidden();
    held.resolve();
    await expect(page.locator('[data-tabs][data-enhanced]')).toBeVisible();
    await expect(page.getByRole('tab', { name: second })).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: first })).toBeFocused();
    await expect(page.getByRole('tabpanel', { name: first })).toBeVisible();
  }
});
