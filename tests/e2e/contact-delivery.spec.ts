import { pauseClock, runUntilVisible } from '../support/clock.ts';
import {
  contactForm,
  listenToPosts,
  refusal,
  contactRowsOf as rowsOf,
} from '../support/contact-form.ts';
import { openDatabase } from '../support/database.ts';
import { goOffline } from '../support/go-offline.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { waitForEmail } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

const away = "We couldn't reach the server. What you typed is still here.";

test('a message waits while offline and is sent when back online', async ({
  page,
  context,
  site,
  email,
  pageErrors,
}) => {
  const { field, fill, send, sending, hydrated, shown } = contactForm(page);
  const posts = listenToPosts(page, '/api/contact');
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  await goOffline(page);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, '/api/contact');
  await send.click();

  await expect(shown('An error occurred')).toBeVisible();
  await expect(shown(away)).toBeVisible();
  await expect(shown(/We'll send it automatically as soon as/)).toBeVisible();
  await expect(sending).toBeDisabled();
  await expect(field('Message')).toHaveValue('The phone rings.');

  await context.setOffline(false);
  await expect(shown('Message sent!')).toBeVisible();
  await expect(shown(/^It was sent automatically at \d+:\d\d [AP]M\.$/)).toBeVisible();
  await expect(shown(away)).toHaveCount(0);
  await expect(field('Message')).toHaveValue('');
  expect(new Set(posts.keys()).size).toBe(1);
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('the spec text stays beside the retry line', async ({ page, email, pageErrors }) => {
  const { fill, send, shown } = contactForm(page);
  await page.goto('/contact');
  await fill(email);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await goOffline(page);
  await send.click();
  await expect(shown('An error occurred')).toBeVisible();
  await expect(shown('Please try again later.')).toBeVisible();
  await expect(shown(`${away} We'll send it automatically as soon as`)).toBeVisible();
});

test('a lost response does not store a message twice', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { fill, send, shown } = contactForm(page);
  const posts = listenToPosts(page, '/api/contact');
  pageErrors.expect(/ERR_CONNECTION_RESET/, '/api/contact');
  await page.route(
    '/api/contact',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await page.goto('/contact');
  await fill(email);
  await send.click();
  await expect(shown(away)).toBeVisible();

  await expect(shown('Message sent!')).toBeVisible();
  expect(posts.requests).toHaveLength(2);
  expect(new Set(posts.keys()).size).toBe(1);
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('a message is retried until the server is back', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { fill, send, hydrated, shown } = contactForm(page);
  pageErrors.expect(/status of 502/, '/api/contact');
  await page.route('/api/contact', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }), {
    times: 4,
  });
  const posts = listenToPosts(page, '/api/contact');
  await page.clock.install();
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  await page.clock.runFor(2_000);
  await send.click();
  await expect(shown(away)).toBeVisible();

  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(shown('Message sent!')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(shown(away)).toHaveCount(0);
  expect(posts.requests.length).toBeGreaterThanOrEqual(3);
  expect(new Set(posts.keys()).size).toBe(1);
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('retries respect Retry-After', { tag: '@full' }, async ({ page, site, email, pageErrors }) => {
  const { fill, send, hydrated, shown } = contactForm(page);
  pageErrors.expect(/status of 429/, '/api/contact');
  const posts = listenToPosts(page, '/api/contact');
  await page.route(
    '/api/contact',
    (route) =>
      route.fulfill({
        ...refusal(429, 'too_many_requests', 'Many people write from your network just now.'),
        headers: { 'Retry-After': '150' },
      }),
    { times: 1 },
  );
  await page.clock.install();
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  await pauseClock(page);
  await send.click();

  await runUntilVisible(page, shown('Too many messages'));
  await expect(shown('Many people write from your network just now.')).toBeVisible();
  await expect(shown(/We'll send it automatically in about 3 minutes\./)).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.clock.runFor(140_000);
  expect(posts.requests).toHaveLength(1);
  await page.clock.runFor(10_000);
  await expect(shown('Message sent!')).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('the newsletter form works while a message waits', { tag: '@full' }, async ({
  page,
  email,
  pageErrors,
}) => {
  const { fill, send, sending, shown } = contactForm(page);
  pageErrors.expect(/status of 429/, '/api/contact');
  await page.route('/api/contact', (route) =>
    route.fulfill({ ...refusal(429, 'too_many_requests'), headers: { 'Retry-After': '900' } }),
  );
  await page.goto('/contact');
  await fill(email);
  await send.click();
  await expect(shown('Too many messages')).toBeVisible();
  await page.locator('#newsletter-email').fill(email);
  await pressHydrated(page.getByRole('button', { name: 'Subscribe' }));
  await expect(shown('Subscription successful')).toBeVisible();
  await expect(sending).toBeDisabled();
});

test('a message is retried while the server cannot store anything', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { field, fill, send, hydrated, shown } = contactForm(page);
  pageErrors.expect(/status of 503/, '/api/contact');
  const posts = listenToPosts(page, '/api/contact');
  await page.route(
    '/api/contact',
    (route) => route.fulfill({ ...refusal(503, 'busy'), headers: { 'Retry-After': '30' } }),
    { times: 1 },
  );
  await page.clock.install();
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  await pauseClock(page);
  await send.click();

  await runUntilVisible(page, shown('An error occurred'));
  await expect(shown('Please try again later.')).toBeVisible();
  const retry = "What you typed is still here. We'll send it automatically in about 30 seconds.";
  await expect(shown(new RegExp(`^${retry}`))).toBeVisible();
  await expect(field('Message')).toHaveValue('The phone rings.');
  await page.clock.runFor(20_000);
  expect(posts.requests).toHaveLength(1);
  await page.clock.runFor(10_000);
  await expect(shown('Message sent!')).toBeVisible();
  expect(new Set(posts.keys()).size).toBe(1);
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('a message is sent once the database can be written again', async ({
  page,
  site,
  email,
  pageErrors,
  loggedErrors,
}) => {
  const { fill, send, hydrated, shown } = contactForm(page);
  await page.goto('/contact');
  await fill(email);
  await hydrated();
  using db = openDatabase(site.dataDir);
  db.$client.exec('BEGIN IMMEDIATE');
  loggedErrors.add('degraded');
  pageErrors.expect(/status of 503/, '/api/contact');
  await send.click();

  await expect(shown('An error occurred')).toBeVisible();
  await expect(shown('Please try again later.')).toBeVisible();
  await expect(
    shown(/^What you typed is still here\. We'll send it automatically in/),
  ).toBeVisible();
  db.$client.exec('ROLLBACK');
  await expect(shown('Message sent!')).toBeVisible();
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test.describe('while waiting', () => {
  test.beforeEach(async ({ page, email, pageErrors }) => {
    const { fill, send, hydrated, shown } = contactForm(page);
    pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, '/api/contact');
    await page.goto('/contact');
    await fill(email);
    await hydrated();
    await goOffline(page);
    await send.click();
    await expect(shown(away)).toBeVisible();
  });

  test('the visitor can cancel', { tag: '@full' }, async ({ page, context, site, email }) => {
    const { field, send, stop, shown } = contactForm(page);
    await stop.click();
    await expect(shown('Not sent')).toBeVisible();
    await expect(field('Message')).toHaveValue('The phone rings.');

    const posts = listenToPosts(page, '/api/contact');
    await context.setOffline(false);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(send).toBeEnabled();
    expect(posts.requests).toEqual([]);

    await send.click();
    await expect(shown('Message sent!')).toBeVisible();
    await expect(shown(/^It was sent automatically/)).toHaveCount(0);
    expect(rowsOf(site.dataDir, email)).toHaveLength(1);
  });

  test('does not send text that is being edited', { tag: '@full' }, async ({
    page,
    context,
    site,
    email,
  }) => {
    const { field, send, shown } = contactForm(page);
    await field('Message').pressSequentially(' And');
    await expect(shown('Not sent')).toBeVisible();
    await context.setOffline(false);
    await field('Message').pressSequentially(' rings.');
    await send.click();
    await expect(shown('Message sent!')).toBeVisible();
    expect(rowsOf(site.dataDir, email)).toMatchObject([{ message: 'The phone rings. And rings.' }]);
  });

  test('resumes after a reload', async ({ page, context, site, email, pageErrors }) => {
    const { field, shown } = contactForm(page);
    pageErrors.expect(/ERR_CONNECTION_RESET/, '/api/contact');
    await page.route('/api/contact', (route) => route.abort('connectionreset'));
    const failed = page.waitForEvent('requestfailed');
    await context.setOffline(false);
    await failed;
    await page.goto('/about');
    await page.unroute('/api/contact');
    await page.goto('/contact');

    await expect(shown('Message sent!')).toBeVisible();
    await expect(shown(/^It was sent automatically at/)).toBeVisible();
    await expect(field('Message')).toHaveValue('');
    expect(rowsOf(site.dataDir, email)).toHaveLength(1);
  });
});

test('the same content has the same key until it is stored', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { field, fill, send, shown } = contactForm(page);
  pageErrors.expect(/status of 500/, '/api/contact');
  const posts = listenToPosts(page, '/api/contact');
  const refuse = () =>
    page.route('/api/contact', (route) => route.fulfill(refusal(500, 'internal')));
  const sendInVain = async () => {
    const count = posts.requests.length;
    await pressHydrated(send);
    await expect.poll(() => posts.requests.length).toBe(count + 1);
    await expect(shown('Error submitting form')).toBeVisible();
  };
  await refuse();
  await page.goto('/contact');
  await fill(email);
  await sendInVain();
  await sendInVain();
  await page.reload();
  await sendInVain();
  await field('Message').fill('It still rings.');
  await sendInVain();
  await page.unroute('/api/contact');
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();

  await fill(email, 'It still rings.');
  await send.click();
  await expect(field('Message')).toHaveValue('');
  const keys = posts.keys();
  expect(keys).toHaveLength(6);
  const [first, changed, repeated] = [keys[0], keys[3], keys[5]];
  expect(keys).toEqual([first, first, first, changed, changed, repeated]);
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) {
    expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  // Once a message is stored, the same text is sent again under a new key.
  expect(rowsOf(site.dataDir, email)).toHaveLength(2);
});

test('a key that was used for other content is replaced', { tag: '@full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  const { fill, send, shown } = contactForm(page);
  pageErrors.expect(/status of 422/, '/api/contact');
  const posts = listenToPosts(page, '/api/contact');
  await page.route(
    '/api/contact',
    (route) => route.fulfill(refusal(422, 'idempotency_key_reused')),
    { times: 1 },
  );
  await page.goto('/contact');
  await fill(email);
  await send.click();
  await expect(shown('Message sent!')).toBeVisible();
  expect(new Set(posts.keys()).size).toBe(2);
  expect(rowsOf(site.dataDir, email)).toHaveLength(1);
});

test('autofill is not treated as spam', { tag: '@full' }, async ({ page, site, email }) => {
  const { fill, send, shown } = contactForm(page);
  const tokenLoaded = page.waitForResponse('/api/forms/token');
  const posted = page.waitForRequest('/api/contact');
  await page.goto('/contact');
  await fill(email);
  await tokenLoaded;
  await send.click();
  expect((await posted).postDataJSON()).toMatchObject({ formToken: expect.stringMatching(/./) });
  await expect(shown('Message sent!')).toBeVisible();
  // Only messages without spam signals are emailed.
  await waitForEmail(site.dataDir, ({ replyTo }) => replyTo?.[0]?.address === email);
});
