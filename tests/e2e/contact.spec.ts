import { join } from 'node:path';
import { open } from '@app/db/open';
import type { Locator } from '@playwright/test';
import { waitForMail } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

interface Row {
  name: string;
  email: string;
  phone: string;
  company: string;
  message: string;
  service: string;
}

/** What is stored of one visitor's messages. */
function rowsOf(dataDir: string, email: string): Row[] {
  const { $client: client } = open(join(dataDir, 'site.db'));
  try {
    return client
      .prepare<[string], Row>(
        'SELECT name, email, phone, company, message, service FROM contact_submissions WHERE email = ?',
      )
      .all(email);
  } finally {
    client.close();
  }
}

test('a message is stored, the notice is mailed, and the form is empty again', async ({
  page,
  site,
  email,
}) => {
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera Visitor');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Phone' }).fill('+1 555 0100');
  await page.getByRole('textbox', { name: 'Company' }).fill('Vera’s Plumbing');
  await page.getByLabel('What is it about?').selectOption('betty');
  await page.getByRole('textbox', { name: 'Message' }).fill('The phone rings\nday and night.');
  await page.getByRole('button', { name: 'Send message' }).click();

  await expect(page.getByText('Message sent!').filter({ visible: true })).toBeVisible();
  await expect(
    page.getByText("We'll get back to you as soon as possible.").filter({ visible: true }),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Full Name' })).toHaveValue('');
  await expect(page.getByLabel('What is it about?')).toHaveValue('general');
  expect(rowsOf(site.dataDir, email)).toEqual([
    {
      name: 'Vera Visitor',
      email,
      phone: '+1 555 0100',
      company: 'Vera’s Plumbing',
      message: 'The phone rings\nday and night.',
      service: 'betty',
    },
  ]);
  const mail = await waitForMail(site.dataDir, ({ replyTo }) => replyTo?.[0]?.address === email);
  expect(mail.subject).toBe('Message from Vera Visitor');
  expect(mail.text).toContain('The phone rings\nday and night.');
});

test('what is wrong is said at the field, which gets the focus, and nothing is lost', async ({
  page,
  site,
  email,
}) => {
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera');
  await page.getByRole('textbox', { name: 'Email' }).fill(email.replace('@', ' at '));
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('button', { name: 'Send message' }).click();

  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(
    'Please enter a valid email address.',
  );
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello');
  expect(rowsOf(site.dataDir, email)).toEqual([]);
});

test('with the keyboard alone', async ({ page, site, email }) => {
  await page.goto('/contact');
  const tabTo = async (control: Locator) => {
    const isFocused = () => control.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 40 && !(await isFocused()); presses += 1) {
      await page.keyboard.press('Tab');
    }
    await expect(control).toBeFocused();
  };
  const field = (name: string) => page.getByRole('textbox', { name });

  await tabTo(page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  await tabTo(field('Full Name'));
  await page.keyboard.type('Vera');
  await tabTo(field('Email'));
  await page.keyboard.type(email);
  await tabTo(page.getByLabel('What is it about?'));
  await page.keyboard.press('ArrowDown');
  await tabTo(field('Message'));
  await page.keyboard.type('Hello');
  await tabTo(page.getByRole('button', { name: 'Send message' }));
  await page.keyboard.press('Enter');

  await expect(page.getByText('Message sent!').filter({ visible: true })).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toMatchObject([
    { name: 'Vera', service: 'betty', message: 'Hello' },
  ]);
});

test('when the server cannot be reached, it says so and keeps what was typed', async ({
  page,
  context,
  complaints,
}) => {
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera');
  await page.getByRole('textbox', { name: 'Email' }).fill('vera@example.com');
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  // Taken over by its script, without which the browser itself would show that it is offline.
  await expect(page.locator('form[novalidate]')).toBeVisible();
  await context.setOffline(true);
  complaints.expect(/ERR_INTERNET_DISCONNECTED/, '/api/contact');
  await page.getByRole('button', { name: 'Send message' }).click();

  await expect(page.getByText('An error occurred').filter({ visible: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello');
});
