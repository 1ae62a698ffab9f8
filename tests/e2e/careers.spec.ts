import { careerMessages } from '@app/contract/forms/careers';
import type { Page } from 'playwright/test';
import { findings } from '../support/axe.ts';
import { listenToPosts } from '../support/contact-form.ts';
import { openDatabase } from '../support/database.ts';
import { goOffline } from '../support/go-offline.ts';
import { hydrated, pressHydrated } from '../support/hydrated.ts';
import { waitForEmail } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

interface Row {
  name: string;
  email: string;
  resume_link: string | null;
  message: string;
}

function rowsOf(dataDir: string, email: string): Row[] {
  using db = openDatabase(dataDir);
  return db.$client
    .prepare<[string], Row>(
      'SELECT name, email, resume_link, message FROM career_inquiries WHERE email = ?',
    )
    .all(email);
}

const inquiry = {
  'Full Name': 'Jo Maker',
  'Resume link': 'https://jo.example/resume',
  Message: 'I build things\nthat listen.',
};

async function openDialog(page: Page) {
  await page.goto('/careers');
  await page.getByRole('button', { name: 'Send Your Resume' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Your Resume' });
  await expect(dialog).toBeVisible();
  const field = (name: string) => dialog.getByRole('textbox', { name });
  const fill = async (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) await field(name).fill(value);
  };
  const send = dialog.getByRole('button', { name: 'Send Inquiry' });
  await hydrated(page, send);
  return { dialog, field, fill, send };
}

const shown = (page: Page, text: string) => page.getByText(text).filter({ visible: true });

test('an inquiry is stored and emailed, and the dialog closes and is empty again', {
  tag: '@phone-full',
}, async ({ page, site, email }) => {
  const { dialog, field, fill, send } = await openDialog(page);
  expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(525);
  await expect(field('Message')).toHaveAttribute('rows', '5');
  await fill({ ...inquiry, Email: email });
  await send.click();

  await expect(dialog).toBeHidden();
  await expect(shown(page, 'Your inquiry has been submitted successfully!')).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toEqual([
    {
      name: 'Jo Maker',
      email,
      resume_link: 'https://jo.example/resume',
      message: 'I build things\nthat listen.',
    },
  ]);
  const sentEmail = await waitForEmail(
    site.dataDir,
    ({ replyTo }) => replyTo?.[0]?.address === email,
  );
  expect(sentEmail.subject).toBe('Career inquiry from Jo Maker');
  expect(sentEmail.text).toContain('https://jo.example/resume');

  await page.getByRole('button', { name: 'Send Your Resume' }).click();
  await expect(shown(page, careerMessages.sent)).toHaveCount(0);
  for (const name of ['Full Name', 'Email', 'Resume link', 'Message']) {
    await expect(field(name)).toHaveValue('');
  }
});

test('shows errors at the fields and keeps the dialog open', async ({ page, site, email }) => {
  const { dialog, field, fill, send } = await openDialog(page);
  await fill({ 'Full Name': 'J', Email: 'jo', 'Resume link': 'my resume', Message: 'Too short' });
  await send.click();

  await expect(field('Full Name')).toBeFocused();
  for (const [name, text] of [
    ['Full Name', 'Name must be at least 2 characters.'],
    ['Email', 'Please enter a valid email address.'],
    ['Resume link', 'Please enter a valid URL for your resume.'],
    ['Message', 'Message must be at least 10 characters.'],
  ] as const) {
    await expect(field(name)).toHaveAccessibleDescription(text);
  }
  expect(await findings(page, 'with errors')).toEqual([]);
  await expect(dialog).toBeVisible();

  await fill({ ...inquiry, 'Resume link': '', Email: email });
  await send.click();
  await expect(dialog).toBeHidden();
  expect(rowsOf(site.dataDir, email)).toMatchObject([{ resume_link: null }]);
});

test('the button is busy while sending; a failure keeps the dialog and its entries', {
  tag: '@full',
}, async ({ page, email, pageErrors }) => {
  const { dialog, field, fill, send } = await openDialog(page);
  await fill({ ...inquiry, Email: email });

  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route('/api/careers', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'internal', detail: 'Please try again later.' }),
    });
  });
  pageErrors.expect(/status of 500/, '/api/careers');
  await send.click();
  await asked.promise;
  await expect(dialog.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  answer.resolve();

  // In the dialog, because everything else is inert.
  const toast = dialog.locator('.toast:popover-open');
  await expect(toast).toHaveText('Error submitting form. Please try again later.');
  await expect(field('Message')).toHaveValue(inquiry.Message);
  await expect(send).toBeEnabled();
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast).toHaveCount(0);
  await expect(dialog.getByText(careerMessages.notStored)).toBeVisible();
  await expect(dialog).toBeVisible();
});

test('a double click sends once', { tag: '@full' }, async ({ page, site, email }) => {
  const { dialog, fill, send } = await openDialog(page);
  const posts = listenToPosts(page, '/api/careers');
  await fill({ ...inquiry, Email: email });
  await send.dblclick();
  await expect(dialog).toBeHidden();
  expect(posts.requests).toHaveLength(1);
  expect(posts.keys()).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('restores the entries after a reload', { tag: '@full' }, async ({ page, email }) => {
  const { fill } = await openDialog(page);
  await fill({ ...inquiry, Email: email });
  await page.reload();
  const { field } = await openDialog(page);
  for (const [name, value] of Object.entries({ ...inquiry, Email: email })) {
    await expect(field(name)).toHaveValue(value);
  }
});

test('an inquiry is retried while the server is unreachable, even if the dialog is closed', {
  tag: '@full',
}, async ({ page, context, site, email, pageErrors }) => {
  const { dialog, field, fill, send } = await openDialog(page);
  await fill({ ...inquiry, Email: email });
  await goOffline(page);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, '/api/careers');
  await send.click();

  const text = 'Failed to submit your inquiry. Please try again.';
  await expect(dialog.getByText(text)).toBeVisible();
  await expect(dialog.getByText("We couldn't reach the server.")).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Stop waiting' })).toBeVisible();
  await expect(field('Message')).toHaveValue(inquiry.Message);

  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(shown(page, text)).toHaveCount(1);
  await context.setOffline(false);
  await expect(shown(page, careerMessages.sent)).toHaveCount(1);
  await expect(shown(page, 'It was sent automatically at')).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('Escape closes the dialog and keeps the entries', { tag: '@full' }, async ({ page }) => {
  await page.goto('/careers');
  const trigger = page.getByRole('button', { name: 'Send Your Resume' });
  await trigger.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Send Your Resume' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Full Name' }).fill('Jo');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(trigger).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Full Name' })).toHaveValue('Jo');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
});

test('the dialog focuses its first field, and a click outside closes it', {
  tag: ['@full', '@phone'],
}, async ({ page }) => {
  const { dialog, field } = await openDialog(page);
  await expect(field('Full Name')).toBeFocused();
  await field('Full Name').fill('Jo Maker');
  const box = await dialog.boundingBox();
  if (!box) throw new Error('the dialog is not shown');
  const outside = { x: box.x / 2, y: box.y / 2 };

  await page.mouse.move(box.x + 60, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(outside.x, outside.y);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await page.mouse.click(box.x + 8, box.y + 8);
  await expect(dialog).toBeVisible();

  await page.mouse.click(outside.x, outside.y);
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Send Your Resume' }).click();
  await expect(field('Full Name')).toHaveValue('Jo Maker');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the dialog opens, the inquiry is sent, and the page shows a notice', async ({
    page,
    site,
    email,
  }) => {
    const { fill, send } = await openDialog(page);
    await expect(page.getByRole('status').filter({ visible: true })).toHaveCount(0);
    await fill({ 'Full Name': 'Nora Noscript', Email: email, Message: 'I build things.' });
    await send.click();

    await page.waitForURL('/careers#sent');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByText(careerMessages.sent)).toBeInViewport();
    expect(rowsOf(site.dataDir, email)).toMatchObject([
      { name: 'Nora Noscript', resume_link: null },
    ]);
    await waitForEmail(site.dataDir, ({ replyTo }) => replyTo?.[0]?.address === email);
  });

  test('a rejected inquiry shows its entries on its own page', { tag: '@full' }, async ({
    page,
    site,
    email,
  }) => {
    const { fill, send } = await openDialog(page);
    const link = 'ftp://jo.example/resume';
    await fill({ ...inquiry, Email: email, 'Resume link': link });
    await send.click();

    await page.waitForURL(/\/careers\/again\/./);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send Your Resume');
    const text = 'Please enter a valid URL for your resume.';
    await expect(page.getByRole('alert').getByRole('link', { name: text })).toBeInViewport();
    const resume = page.getByRole('textbox', { name: 'Resume link' });
    await expect(resume).toBeFocused();
    await expect(resume).toHaveValue(link);
    await expect(resume).toHaveAccessibleDescription(text);
    await expect(page.getByRole('textbox', { name: 'Full Name' })).toHaveValue('Jo Maker');
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(inquiry.Message);
    expect(rowsOf(site.dataDir, email)).toEqual([]);

    await resume.fill('https://jo.example/resume');
    await pressHydrated(page.getByRole('button', { name: 'Send Inquiry' }));
    await page.waitForURL('/careers#sent');
    await expect(page.getByText(careerMessages.sent)).toBeInViewport();
    expect(rowsOf(site.dataDir, email)).toMatchObject([
      { resume_link: 'https://jo.example/resume' },
    ]);
  });

  test('the dialog can be closed', { tag: '@full' }, async ({ page }) => {
    const { dialog, field } = await openDialog(page);
    await expect(field('Full Name')).toBeFocused();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  });
});
