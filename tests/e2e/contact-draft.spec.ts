import type { Page } from 'playwright/test';
import { pauseClock, runUntilVisible } from '../support/clock.ts';
import { contactForm, listenToPosts, contactRowsOf as rowsOf } from '../support/contact-form.ts';
import { expect, test } from '../support/site-test.ts';

test('restores the entries after a reload, and after visiting another page', {
  tag: '@full',
}, async ({ page, email }) => {
  const { field, service, fill, hydrated } = contactForm(page);
  await page.goto('/contact');
  await fill(email, 'The phone rings\nday and night.');
  await field('Company').fill('Vera’s Plumbing');
  await service.selectOption('custom');
  await hydrated();

  const visits = [() => page.reload(), () => page.goto('/about').then(() => page.goto('/contact'))];
  for (const visit of visits) {
    await visit();
    await expect(field('Full Name')).toHaveValue('Vera Visitor');
    await expect(field('Email')).toHaveValue(email);
    await expect(field('Company')).toHaveValue('Vera’s Plumbing');
    await expect(field('Phone')).toHaveValue('');
    await expect(field('Message')).toHaveValue('The phone rings\nday and night.');
    await expect(service).toHaveValue('custom');
    await expect(page.locator('main form[data-enhanced]')).toHaveCount(0);
  }

  await field('Full Name').focus();
  await hydrated();
  await expect(field('Message')).toHaveValue('The phone rings\nday and night.');
});

test('the draft stays in the tab, excludes the honeypot and is removed once sent', async ({
  page,
  context,
  site,
  email,
}) => {
  const { field, fill, send, hydrated, shown } = contactForm(page);
  const storedDraft = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  await page.locator('input[name="homepage"]').first().fill('x', { force: true });
  await field('Phone').fill('1');
  await expect.poll(storedDraft).toContain(email);
  expect(await storedDraft()).not.toContain('homepage');
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(email);
  const other = await context.newPage();
  await other.goto('/contact');
  await expect(contactForm(other).field('Email')).toHaveValue('');

  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  await expect.poll(storedDraft).not.toContain(email);

  await page.goto('/about');
  await page.goBack();
  await expect(page).toHaveURL('/contact');
  await expect(field('Message')).toHaveValue('');
  await page.reload();
  await expect(field('Message')).toHaveValue('');
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('a draft does not replace filled fields', { tag: '@full' }, async ({ page, email }) => {
  const { field, fill, hydrated } = contactForm(page);
  await page.goto('/contact');
  await fill(email, 'The draft');
  await hydrated();
  // Like a browser that restores fields before scripts run.
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const message = document.querySelector<HTMLTextAreaElement>('#contact-message');
      if (message) message.value = 'From the browser';
    });
  });
  await page.goto('/contact');
  await expect(field('Message')).toHaveValue('From the browser');
  await expect(field('Full Name')).toHaveValue('Vera Visitor');
});

test('a message is sent without browser storage', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  const { fill, send, shown } = contactForm(page);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Access is denied', 'SecurityError');
      },
    });
  });
  await page.goto('/contact');
  await fill(email);
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('text typed while a message is being sent stays and is sent next', async ({
  page,
  site,
  email,
}) => {
  const { field, fill, send, shown } = contactForm(page);
  const answer = Promise.withResolvers<void>();
  await page.route(
    '/api/contact',
    async (route) => {
      await answer.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const posted = page.waitForRequest('/api/contact');
  await page.goto('/contact');
  await fill(email);
  await send.click();
  await posted;
  await field('Message').pressSequentially(' And rings.');
  answer.resolve();
  await expect(shown('Message sent!')).toBeVisible();
  await expect(field('Message')).toHaveValue('The phone rings. And rings.');
  await expect(shown('Your later changes are still here and were not sent.')).toBeVisible();

  await page.goto('/about');
  await page.goto('/contact');
  await expect(field('Message')).toHaveValue('The phone rings. And rings.');
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  await expect(field('Message')).toHaveValue('');
  expect(rowsOf(site.dataDir, email)).toMatchObject([
    { message: 'The phone rings.' },
    { message: 'The phone rings. And rings.' },
  ]);
});

test.describe('within the minimum time', () => {
  /** Stops the clock, and presses Send right after the form has got its token. */
  const sendAtOnce = async (page: Page, email: string) => {
    const { fill, send, sending, hydrated } = contactForm(page);
    const answer = Promise.withResolvers<void>();
    await page.route('/api/forms/token', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.clock.install();
    await page.goto('/contact');
    await fill(email);
    await hydrated();
    await pauseClock(page);
    answer.resolve();
    await page.waitForFunction(() => sessionStorage['draft:/api/contact']?.includes('formToken'));
    await send.click();
    await expect(sending).toBeDisabled();
  };

  test('a message is sent when the visitor returns', { tag: '@full' }, async ({
    page,
    site,
    email,
  }) => {
    const { shown } = contactForm(page);
    await sendAtOnce(page, email);
    await page.goto('/about');
    await page.clock.resume();
    await page.goto('/contact');
    await expect(shown('Message sent!')).toBeVisible();
    await expect(shown(/^It was sent automatically at/)).toBeVisible();
    expect(rowsOf(site.dataDir, email)).toHaveLength(1);
  });

  test('an edit cancels the submission', { tag: '@full' }, async ({ page, site, email }) => {
    const { field, send, shown } = contactForm(page);
    const posts = listenToPosts(page, '/api/contact');
    await sendAtOnce(page, email);
    await field('Message').pressSequentially(' And');
    await runUntilVisible(page, shown('Not sent'));
    await field('Message').pressSequentially(' rings.');
    await page.clock.resume();
    await send.click();
    await expect(shown('Message sent!')).toBeVisible();
    expect(posts.requests).toHaveLength(1);
    expect(rowsOf(site.dataDir, email)).toMatchObject([{ message: 'The phone rings. And rings.' }]);
  });
});
