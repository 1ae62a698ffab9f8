import { join } from 'node:path';
import { open } from '@app/db/open';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/site-test.ts';

/** How often an address is on the list. */
function timesOnList(dataDir: string, email: string): number {
  const { $client: client } = open(join(dataDir, 'site.db'));
  try {
    return client.prepare('SELECT 1 FROM newsletter_subscriptions WHERE email = ?').all(email)
      .length;
  } finally {
    client.close();
  }
}

function formOf(page: Page) {
  const footer = page.getByRole('contentinfo');
  return {
    field: footer.getByRole('textbox', { name: 'Newsletter' }),
    button: footer.getByRole('button', { name: 'Subscribe', exact: true }),
    notice: (text: string) => footer.getByText(text, { exact: true }).filter({ visible: true }),
  };
}

test('an address is put on the list once, from whatever page', async ({
  page,
  site,
  email,
  complaints,
}) => {
  await page.goto('/');
  const { field, button, notice } = formOf(page);
  await field.fill(email);
  await button.click();
  await expect(notice('Subscription successful')).toBeVisible();
  await expect(notice('Thank you for subscribing to our newsletter!')).toBeVisible();
  await expect(field).toHaveValue('');

  await page.goto('/blog');
  await page.getByRole('main').getByRole('article').getByRole('link').first().click();
  await page.waitForURL(/\/blog\/./);
  complaints.expect(/status of 409/, '/api/newsletter');
  await field.fill(email.toUpperCase());
  await button.click();
  await expect(notice('Already subscribed')).toBeVisible();
  await expect(notice('This email is already subscribed to our newsletter.')).toBeVisible();
  expect(timesOnList(site.dataDir, email)).toBe(1);
});

test('what is no address is refused at the field', async ({ page }) => {
  await page.goto('/contact');
  const { field, button, notice } = formOf(page);
  for (const text of ['', 'ann at example.com']) {
    await field.fill(text);
    await button.click();
    await expect(notice('Invalid email')).toBeVisible();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/Please enter a valid email address\./);
    await field.fill('a');
    await expect(notice('Invalid email')).toHaveCount(0);
  }
});

test('while it is sent the button says so; when that fails, the address stays', async ({
  page,
  email,
  complaints,
}) => {
  await page.goto('/');
  const { field, button, notice } = formOf(page);
  await field.fill(email);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route('/api/newsletter', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.abort('connectionreset');
  });
  complaints.expect(/ERR_CONNECTION_RESET/, '/api/newsletter');
  await button.click();
  await asked.promise;
  await expect(page.getByRole('button', { name: 'Subscribing...' })).toBeDisabled();
  answer.resolve();

  await expect(notice('Subscription failed')).toBeVisible();
  await expect(
    notice('There was an error subscribing to the newsletter. Please try again later.'),
  ).toBeVisible();
  await expect(field).toHaveValue(email);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('it leads back to the page it was on, which says what happened', async ({
    page,
    site,
    email,
  }) => {
    const { field, button, notice } = formOf(page);
    const subscribe = async (path: string) => {
      await page.goto(path);
      await expect(page.getByRole('status').filter({ visible: true })).toHaveCount(0);
      await field.fill(email);
      await button.click();
    };
    await subscribe('/contact');
    await page.waitForURL('/contact#newsletter-subscribed');
    await expect(notice('Thank you for subscribing to our newsletter!')).toBeInViewport();

    await subscribe('/blog');
    await page.waitForURL('/blog#newsletter-already-subscribed');
    await expect(notice('This email is already subscribed to our newsletter.')).toBeInViewport();
    expect(timesOnList(site.dataDir, email)).toBe(1);
  });

  test('an address that only the browser takes is refused', async ({ page }) => {
    await page.goto('/careers');
    const { field, button, notice } = formOf(page);
    await field.fill('ann@localhost');
    await button.click();
    await page.waitForURL('/careers#newsletter-invalid');
    await expect(notice('Invalid email')).toBeInViewport();
  });

  test('on a page that is not there too', async ({ page, email, complaints }) => {
    for (const fragment of ['', '#newsletter-subscribed']) {
      complaints.expect(/status of 404/, `/no/such/page${fragment}`);
    }
    await page.goto('/no/such/page');
    const { field, button, notice } = formOf(page);
    await field.fill(email);
    await button.click();
    await page.waitForURL('/no/such/page#newsletter-subscribed');
    await expect(notice('Subscription successful')).toBeInViewport();
  });
});

test('no id is on a page twice', async ({ page }) => {
  for (const path of ['/', '/contact', '/careers', '/auth', '/blog']) {
    await page.goto(path);
    const twice = await page.evaluate(() => {
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      return ids.filter((id, index) => ids.indexOf(id) !== index);
    });
    expect([path, twice]).toEqual([path, []]);
  }
});
