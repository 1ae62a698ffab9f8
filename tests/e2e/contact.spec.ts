import { contactMessages } from '@app/contract/forms/contact';
import type { Locator } from 'playwright/test';
import { findings } from '../support/axe.ts';
import { pauseClock, runUntilVisible } from '../support/clock.ts';
import {
  contactForm,
  listenToPosts,
  refusal,
  contactRowsOf as rowsOf,
} from '../support/contact-form.ts';
import { hydrated, pressHydrated } from '../support/hydrated.ts';
import { waitForEmail } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a form whose script fails can be sent again', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { fill, send, hydrated, shown } = contactForm(page);
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  pageErrors.expect(/out of luck/);
  await page.evaluate(() => {
    const { getRandomValues } = Crypto.prototype;
    Crypto.prototype.getRandomValues = () => {
      Crypto.prototype.getRandomValues = getRandomValues;
      throw new Error('out of luck');
    };
  });
  const failed = page.waitForEvent('pageerror');
  await send.click();
  await failed;
  await expect(send).toBeEnabled();
  await expect(shown('An error occurred')).toBeVisible();
  await expect(shown('Please try again later.')).toBeVisible();
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('a message is stored, the notice is emailed, and the form is empty again', {
  tag: '@phone-full',
}, async ({ page, site, email }) => {
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera Visitor');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Phone' }).fill('+1 555 0100');
  await page.getByRole('textbox', { name: 'Company' }).fill('Vera’s Plumbing');
  await page.getByLabel('What is it about?').selectOption('betty');
  await page.getByRole('textbox', { name: 'Message' }).fill('The phone rings\nday and night.');
  await pressHydrated(page.getByRole('button', { name: 'Send message' }));

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
  const sentEmail = await waitForEmail(
    site.dataDir,
    ({ replyTo }) => replyTo?.[0]?.address === email,
  );
  expect(sentEmail.subject).toBe('Message from Vera Visitor');
  expect(sentEmail.text).toContain('The phone rings\nday and night.');
});

test('shows an error at the field, focuses it and keeps the entries', async ({
  page,
  site,
  email,
}) => {
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Full Name' }).fill('Vera');
  await page.getByRole('textbox', { name: 'Email' }).fill(email.replace('@', ' at '));
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await pressHydrated(page.getByRole('button', { name: 'Send message' }));

  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(
    'Please enter a valid email address.',
  );
  expect(await findings(page, 'with an error')).toEqual([]);
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello');
  expect(rowsOf(site.dataDir, email)).toEqual([]);
});

test('a message is sent by keyboard only', async ({ page, site, email }) => {
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
  await hydrated(page, field('Message'));
  await page.keyboard.press('Enter');

  await expect(page.getByText('Message sent!').filter({ visible: true })).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toMatchObject([
    { name: 'Vera', service: 'betty', message: 'Hello' },
  ]);
});

test('the result is a toast, whose message then stays in the form', { tag: '@full' }, async ({
  page,
  email,
}) => {
  const { fill, send, toast, shown, hydrated } = contactForm(page);
  await page.clock.install();
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  await pauseClock(page);
  await send.click();

  // The form waits until its token is two seconds old.
  await runUntilVisible(page, toast);
  const { title, description } = contactMessages.sent;
  await expect(toast).toHaveText(title + description);
  await expect(page.locator('[aria-live="polite"] .toast')).toHaveCount(1);
  await expect(toast.getByRole('status')).toHaveCount(0);

  await toast.hover();
  await page.clock.runFor(60_000);
  await expect(toast).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(10_000);
  await expect(toast).toHaveCount(0);
  await expect(shown('Message sent!')).toHaveCount(1);
});

test('the toast can be dismissed with the keyboard', { tag: '@full' }, async ({ page, email }) => {
  const { fill, send, toast, shown } = contactForm(page);
  await page.goto('/contact');
  await fill(email);
  await send.press('Enter');
  await expect(toast).toBeVisible();
  await expect(send).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(toast).toHaveCount(0);
  await expect(shown('Message sent!')).toBeVisible();
  await expect(page.locator('.toast')).toBeFocused();
});

test('the button is busy while sending, and a double click sends once', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  const { fill, send, sending, shown } = contactForm(page);
  const posts = listenToPosts(page, '/api/contact');
  const answer = Promise.withResolvers<void>();
  await page.route('/api/contact', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto('/contact');
  await fill(email);
  await send.dblclick();
  await expect(sending).toBeDisabled();
  answer.resolve();

  await expect(shown('Message sent!')).toBeVisible();
  expect(posts.requests).toHaveLength(1);
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('a failed save shows an error and keeps the entries', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { field, service, fill, send, toast, shown } = contactForm(page);
  pageErrors.expect(/status of 500/, '/api/contact');
  await page.route('/api/contact', (route) => route.fulfill(refusal(500, 'internal')));
  await page.goto('/contact');
  await fill(email);
  await service.selectOption('demo');
  await send.click();

  const { title, description } = contactMessages.notStored;
  await expect(toast).toHaveText(title + description);
  await expect(field('Full Name')).toHaveValue('Vera Visitor');
  await expect(field('Message')).toHaveValue('The phone rings.');
  await expect(service).toHaveValue('demo');
  await expect(send).toBeEnabled();

  await page.unroute('/api/contact');
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  await expect(shown('Error submitting form')).toHaveCount(0);
  expect(rowsOf(site.dataDir, email)).toMatchObject([{ service: 'demo' }]);
});

test('the query preselects the service', { tag: '@full' }, async ({ page, email }) => {
  const { service, fill, send, shown } = contactForm(page);
  for (const [query, chosen] of [
    ['?service=betty', 'betty'],
    ['?service=plumbing', 'general'],
    ['?service=', 'general'],
    ['', 'general'],
  ] as const) {
    await page.goto(`/contact${query}`);
    await expect(service).toHaveValue(chosen);
  }

  await page.goto('/contact?service=website');
  await fill(email);
  await service.selectOption('custom');
  await page.reload();
  await expect(service).toHaveValue('custom');
  await page.goto('/contact?service=betty');
  await expect(service).toHaveValue('betty');
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  await expect(service).toHaveValue('general');
});

test('shows the remaining characters of a nearly full field', { tag: '@full' }, async ({
  page,
  email,
}) => {
  const { field, fill, send, shown } = contactForm(page);
  await page.goto('/contact');
  const message = field('Message');
  await fill(email, 'x'.repeat(4_499));
  await expect(message).toHaveAccessibleDescription('');
  await message.fill('x'.repeat(4_880));
  await expect(message).toHaveAccessibleDescription('120 characters left');
  await expect(
    page.locator('[aria-live="polite"]', { hasText: '120 characters left' }),
  ).toHaveCount(1);

  await message.fill('x'.repeat(5_001));
  await expect(message).toHaveAccessibleDescription('1 character too many');
  await send.click();
  await expect(message).toBeFocused();
  await expect(message).toHaveAccessibleDescription(/Please use at most 5,000 characters\.$/);
  await message.press('End');
  await message.press('Backspace');
  await expect(message).toHaveAccessibleDescription('0 characters left');
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  await expect(message).toHaveAccessibleDescription('');
});

test('the honeypot is hidden and not focusable', { tag: '@full' }, async ({ page, email }) => {
  const { fill, send, shown } = contactForm(page);
  const posts = listenToPosts(page, '/api/contact');
  await page.goto('/contact');
  const trap = page.locator('input[name="homepage"]').first();
  await expect(trap).toHaveAttribute('tabindex', '-1');
  await expect(trap).toHaveAttribute('autocomplete', 'off');
  await expect(page.getByRole('textbox', { name: 'Leave this field empty' })).toHaveCount(0);
  const box = await trap.locator('..').boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeLessThanOrEqual(1);

  await fill(email);
  await trap.evaluate((input: HTMLInputElement) => {
    input.value = 'https://spam.example';
  });
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  expect(posts.requests[0]?.postDataJSON()).toMatchObject({ homepage: 'https://spam.example' });
});
