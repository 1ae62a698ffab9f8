import { accountMessages } from '@app/contract/accounts/messages';
import { password } from '../support/account.ts';
import { contactForm, contactRowsOf } from '../support/contact-form.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForConfirmationLink, waitForEmail } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ javaScriptEnabled: false });

test('a rejected message is shown again with its entries and errors, and can be sent', async ({
  page,
  site,
  email,
}) => {
  const { field, service, fill, send } = contactForm(page);
  await page.goto('/contact');
  await fill(email, 'The phone rings\nday and night.');
  // Browsers accept a space.
  await field('Full Name').fill(' ');
  await service.selectOption('demo');
  await send.click();

  await page.waitForURL(/\/contact\/again\/./);
  const text = 'Full name is required';
  await expect(page.getByRole('alert').getByRole('link', { name: text })).toBeInViewport();
  await expect(field('Full Name')).toBeFocused();
  await expect(field('Full Name')).toHaveAccessibleDescription(text);
  await expect(field('Email')).toHaveValue(email);
  await expect(field('Message')).toHaveValue(/^The phone rings\r?\nday and night\.$/);
  await expect(service).toHaveValue('demo');
  expect(contactRowsOf(site.dataDir, email)).toEqual([]);

  await field('Full Name').fill('Vera Visitor');
  await send.click();
  await page.waitForURL('/contact#sent');
  await expect(page.getByText('Message sent!')).toBeInViewport();
  expect(contactRowsOf(site.dataDir, email)).toMatchObject([
    { name: 'Vera Visitor', service: 'demo' },
  ]);
  await waitForEmail(site.dataDir, ({ replyTo }) => replyTo?.[0]?.address === email);
});

test('a message that is too long to send leads to a page that says what to do', {
  tag: ['@full', '@phone'],
}, async ({ page, email, pageErrors }) => {
  const { field, fill, send } = contactForm(page);
  await page.goto('/contact');
  // This form has more bytes than the site accepts. Some browsers do not support maxlength.
  const text = '漢'.repeat(8_000);
  await field('Message').evaluate((area) => area.removeAttribute('maxlength'));
  await fill(email, text);
  pageErrors.expect(/status of 413/);
  await send.click();

  const heading = page.getByRole('heading', { name: 'Your text is too long to send' });
  await expect(heading).toBeInViewport();
  await page.goBack();
  await expect(field('Message')).toHaveValue(text);
});

test('a form that is shown again is enhanced by its script', { tag: '@full' }, async ({
  page,
  newVisitor,
  site,
  email,
}) => {
  const plain = contactForm(page);
  await page.goto('/contact');
  await plain.fill(email);
  await plain.field('Full Name').fill(' ');
  await plain.send.click();
  await page.waitForURL(/\/contact\/again\/./);

  const scripted = await newVisitor({ javaScriptEnabled: true });
  const { field, send } = contactForm(scripted);
  await scripted.goto(page.url());
  await expect(field('Full Name')).toHaveAccessibleDescription('Full name is required');
  await field('Full Name').fill('Vera Visitor');
  await expect(field('Full Name')).toHaveAccessibleDescription('');
  await expect(field('Email')).toHaveValue(email);
  await send.click();
  await scripted.waitForURL('/contact#sent');
  expect(contactRowsOf(site.dataDir, email)).toHaveLength(1);
});

test('no notice shows before a submit', { tag: '@full' }, async ({ page }) => {
  for (const path of ['/contact', '/auth']) {
    await page.goto(path);
    await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole('status').filter({ visible: true })).toHaveCount(0);
  }
});

test('users sign up, confirm, change their profile, sign out and sign in again', async ({
  page,
  site,
  email,
}) => {
  await test.step('sign up and confirm', async () => {
    await page.goto('/auth#sign-up');
    const panel = page.getByRole('tabpanel', { name: 'Sign Up' });
    await panel.getByLabel('Email').fill(email);
    await panel.getByLabel('Password').fill(password);
    await pressHydrated(panel.getByRole('button', { name: 'Sign Up' }));
    await page.waitForURL('/auth#signed-up');
    await expect(page.getByText('Registration successful!')).toBeVisible();
    await page.goto(await waitForConfirmationLink(site.dataDir, email));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('/blog');
  });

  await test.step('change the profile, and sign out', async () => {
    await page.goto('/profile');
    await page.getByLabel('Username').fill(`plain-${email.slice(4, 12)}`);
    await page.getByLabel('Full Name').fill('Pat Plain');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL(/\/profile#/);
    await page.goto('/profile#settings');
    await page.locator('#settings').getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('/');
  });

  await test.step('sign in with a wrong and the right password', async () => {
    await page.goto('/auth');
    const panel = page.getByRole('tabpanel', { name: 'Sign In' });
    const signIn = async (secret: string) => {
      await panel.getByLabel('Email').fill(email);
      await panel.getByLabel('Password').fill(secret);
      await pressHydrated(panel.getByRole('button', { name: 'Sign In' }));
    };
    await signIn('wrong password');
    await page.waitForURL(/\/auth\/again\?.*#invalid-credentials$/);
    await expect(page.getByText(accountMessages.signIn.wrong)).toBeVisible();
    await expect(panel.getByLabel('Email')).toHaveValue(email);
    await panel.getByLabel('Password').fill(password);
    await panel.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('/blog');
  });
});
