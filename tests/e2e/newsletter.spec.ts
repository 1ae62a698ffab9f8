import type { Page } from 'playwright/test';
import { contactForm, refusal } from '../support/contact-form.ts';
import { openDatabase } from '../support/database.ts';
import { goOffline } from '../support/go-offline.ts';
import { fillHydrated } from '../support/hydrated.ts';
import { waitForLink } from '../support/mailbox.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, test } from '../support/site-test.ts';

function timesOnList(dataDir: string, email: string): number {
  using db = openDatabase(dataDir);
  return db.$client.prepare('SELECT 1 FROM newsletter_subscriptions WHERE email = ?').all(email)
    .length;
}

async function confirm(page: Page, { dataDir }: SiteProcess, email: string): Promise<void> {
  await page.goto((await waitForLink(dataDir, email, '/newsletter/confirm')).link);
  await page.getByRole('button', { name: 'Yes, put me on the list' }).click();
  await page.waitForURL('/newsletter/confirmed');
}

const confirmText = 'One more step: confirm your address with the button in our email.';

function formOf(page: Page) {
  const footer = page.getByRole('contentinfo');
  return {
    field: footer.getByRole('textbox', { name: 'Newsletter' }),
    button: footer.getByRole('button', { name: 'Subscribe', exact: true }),
    notice: (text: string | RegExp) =>
      footer.getByText(text, { exact: true }).filter({ visible: true }),
  };
}

test('an address is subscribed once, from any page', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await page.goto('/');
  const { field, button, notice } = formOf(page);
  await fillHydrated(field, email);
  await button.click();
  await expect(notice('Subscription successful')).toBeVisible();
  await expect(notice('Thank you for subscribing to our newsletter!')).toBeVisible();
  await expect(notice(confirmText)).toBeVisible();
  await expect(field).toHaveValue('');
  await confirm(page, site, email);

  await page.goto('/blog');
  await page.getByRole('main').getByRole('article').getByRole('link').first().click();
  await page.waitForURL(/\/blog\/./);
  pageErrors.expect(/status of 409/, '/api/newsletter');
  await fillHydrated(field, email.toUpperCase());
  await button.click();
  await expect(notice('Already subscribed')).toBeVisible();
  await expect(notice('This email is already subscribed to our newsletter.')).toBeVisible();
  expect(timesOnList(site.dataDir, email)).toBe(1);
});

test('a second attempt shows that the email was sent again, or when it can be', {
  tag: '@full',
}, async ({ page, newVisitor, email }) => {
  await page.clock.install();
  await page.goto('/about');
  const { field, button, notice } = formOf(page);
  const subscribe = async () => {
    await fillHydrated(field, email);
    await button.click();
    await expect(notice('Subscription successful')).toBeVisible();
  };
  await subscribe();
  await expect(notice(confirmText)).toBeVisible();
  await page.goto('/careers');
  await subscribe();
  await expect(
    notice(
      /^Please confirm your address with the button in our email\. You can request it again in (?:\d+ seconds|1 minute)\.$/,
    ),
  ).toBeVisible();
  await page.clock.fastForward('01:01');
  await subscribe();
  await expect(
    notice('We sent the email again. Please confirm your address with the button in it.'),
  ).toBeVisible();
  await page.clock.fastForward('01:01');
  await subscribe();
  await page.clock.fastForward('01:01');
  await subscribe();
  await expect(notice(/You can request it again in 24 hours\.$/)).toBeVisible();

  // Another browser gets no hint that the address is subscribed.
  const stranger = await newVisitor();
  await stranger.goto('/about');
  const form = formOf(stranger);
  await fillHydrated(form.field, email);
  await form.button.click();
  await expect(form.notice(confirmText)).toBeVisible();
});

test('an invalid address shows an error at the field', async ({ page }) => {
  await page.goto('/contact');
  const { field, button, notice } = formOf(page);
  for (const text of ['', 'ann at example.com']) {
    await fillHydrated(field, text);
    await button.click();
    await expect(notice('Invalid email')).toBeVisible();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/Please enter a valid email address\./);
    await fillHydrated(field, 'a');
    await expect(notice('Invalid email')).toHaveCount(0);
  }
});

test('the button is busy while sending; a failure keeps the address', { tag: '@full' }, async ({
  page,
  email,
  pageErrors,
}) => {
  await page.goto('/');
  const { field, button, notice } = formOf(page);
  await fillHydrated(field, email);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route('/api/newsletter', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.fulfill(refusal(500, 'internal'));
  });
  pageErrors.expect(/status of 500/, '/api/newsletter');
  await button.click();
  await asked.promise;
  await expect(page.getByRole('button', { name: 'Subscribing...' })).toBeDisabled();
  answer.resolve();

  const toast = page.locator('.toast:popover-open');
  await expect(toast).toHaveText(
    'Subscription failedThere was an error subscribing to the newsletter. Please try again later.',
  );
  await expect(field).toHaveValue(email);
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast).toHaveCount(0);
  await expect(notice('Subscription failed')).toBeVisible();
});

test('restores the entries after a reload and on another page, until it was sent', {
  tag: '@full',
}, async ({ page, email }) => {
  await page.goto('/about');
  const { field, button, notice } = formOf(page);
  const hydrated = page.locator('footer form[data-enhanced]');
  await field.focus();
  await expect(hydrated).toBeAttached();
  await fillHydrated(field, email);
  for (const goOn of [() => page.reload(), () => page.goto('/careers')]) {
    await goOn();
    await field.focus();
    await expect(field).toHaveValue(email);
  }
  await button.click();
  await expect(notice('Subscription successful')).toBeVisible();

  await page.reload();
  await field.focus();
  await expect(hydrated).toBeAttached();
  await expect(field).toHaveValue('');
});

test('an address typed while another is being sent stays', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await page.goto('/about');
  const { field, button, notice } = formOf(page);
  const answer = Promise.withResolvers<void>();
  await page.route('/api/newsletter', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await fillHydrated(field, email);
  const posted = page.waitForRequest('/api/newsletter');
  await button.click();
  await posted;
  await fillHydrated(field, `other-${email}`);
  answer.resolve();
  await expect(notice('Subscription successful')).toBeVisible();
  await expect(field).toHaveValue(`other-${email}`);
  await confirm(page, site, email);

  await page.goto('/careers');
  await field.focus();
  await expect(field).toHaveValue(`other-${email}`);
});

test('a subscription waits while offline and is sent when back online', { tag: '@full' }, async ({
  page,
  context,
  site,
  email,
  pageErrors,
}) => {
  await page.goto('/about');
  const { field, button, notice } = formOf(page);
  await fillHydrated(field, email);
  await expect(page.locator('footer form[data-enhanced]')).toBeAttached();
  await goOffline(page);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, '/api/newsletter');
  await button.click();
  await expect(notice('Subscription failed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop waiting' })).toBeVisible();
  await expect(field).toHaveValue(email);

  await context.setOffline(false);
  await expect(notice('Subscription successful')).toBeVisible();
  await expect(field).toHaveValue('');
  expect(timesOnList(site.dataDir, email)).toBe(1);
});

test('the toast shows the latest result of two forms', { tag: '@full' }, async ({
  page,
  email,
}) => {
  await page.goto('/contact');
  const { fill, send, toast, shown } = contactForm(page);
  const { field, button } = formOf(page);
  await fill(email);
  await send.click();
  await expect(toast).toContainText('Message sent!');
  await fillHydrated(field, 'nobody');
  await button.click();
  await expect(toast).toHaveCount(1);
  await expect(toast).toContainText('Invalid email');
  await expect(shown('Message sent!')).toHaveCount(1);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('redirects back to the page, which shows a notice', { tag: '@full' }, async ({
    page,
    site,
    email,
  }) => {
    const { field, button, notice } = formOf(page);
    const subscribe = async (path: string) => {
      await page.goto(path);
      await expect(page.getByRole('status').filter({ visible: true })).toHaveCount(0);
      await fillHydrated(field, email);
      await button.click();
    };
    await subscribe('/contact');
    await page.waitForURL('/contact#newsletter-subscribed');
    await expect(notice('Thank you for subscribing to our newsletter!')).toBeInViewport();
    await expect(
      notice(`${confirmText} No email? Subscribe again after a minute, up to three times a day.`),
    ).toBeInViewport();
    await confirm(page, site, email);

    await subscribe('/blog');
    await page.waitForURL('/blog#newsletter-already-subscribed');
    await expect(notice('This email is already subscribed to our newsletter.')).toBeInViewport();
    expect(timesOnList(site.dataDir, email)).toBe(1);
  });

  test('an address that the browser does not validate is rejected', { tag: '@full' }, async ({
    page,
  }) => {
    await page.goto('/careers');
    const { field, button, notice } = formOf(page);
    // Not every browser validates addresses.
    await field.evaluate((input: HTMLInputElement) => input.setAttribute('type', 'text'));
    await field.fill('nobody');
    await button.click();
    await page.waitForURL('/careers#newsletter-invalid');
    await expect(notice('Invalid email')).toBeInViewport();
  });

  test('an address is subscribed on the 404 page', { tag: '@full' }, async ({
    page,
    email,
    pageErrors,
  }) => {
    for (const fragment of ['', '#newsletter-subscribed']) {
      pageErrors.expect(/status of 404/, `/no/such/page${fragment}`);
    }
    await page.goto('/no/such/page');
    const { field, button, notice } = formOf(page);
    await fillHydrated(field, email);
    await button.click();
    await page.waitForURL('/no/such/page#newsletter-subscribed');
    await expect(notice('Subscription successful')).toBeInViewport();
  });
});
