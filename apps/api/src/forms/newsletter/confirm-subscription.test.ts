import { day, minute } from '@app/contract/durations';
import { expect, test } from 'vitest';
import {
  askToSubscribe,
  confirmSubscription,
  email,
  kindsOfEmail,
  subscriptions,
} from '../../testing/newsletter.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';

test('confirming subscribes the address and emails a welcome', async () => {
  await using testApp = await makeTestApp();
  const token = await askToSubscribe(testApp);
  testApp.clock.move(minute);
  const response = await confirmSubscription(testApp, token);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ confirmed: true });
  expect(await subscriptions(testApp)).toEqual([
    expect.objectContaining({ email, state: 'confirmed', confirmedAt: testApp.clock.now() }),
  ]);
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation', 'newsletter-welcome']);
});

test('stores the confirmation and the welcome email in one commit', async () => {
  await using testApp = await makeTestApp();
  const token = await askToSubscribe(testApp);
  const { $client: client } = testApp.deps.db;
  client.exec(
    "CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  expect((await confirmSubscription(testApp, token)).status).toBe(500);
  expect(await subscriptions(testApp)).toMatchObject([{ state: 'pending' }]);
  client.exec('DROP TRIGGER full');
  expect((await confirmSubscription(testApp, token)).status).toBe(200);
});

test('fifty concurrent uses of a link send one welcome email', async () => {
  await using testApp = await makeTestApp();
  const token = await askToSubscribe(testApp);
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => confirmSubscription(testApp, token)),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation', 'newsletter-welcome']);
});

test('opening the link, as email scanners do, confirms nothing', async () => {
  await using testApp = await makeTestApp();
  const token = await askToSubscribe(testApp);
  const before = await subscriptions(testApp);
  const page = await testApp.browser().get(`/newsletter/confirm?token=${token}`);
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
  expect(await page.text()).toContain(JSON.stringify({ kind: 'newsletterConfirm', token }));
  expect(await subscriptions(testApp)).toEqual(before);
});

/** @returns where the link and its button redirect */
async function redirectsOf(testApp: TestApp, token: string): Promise<(string | null)[]> {
  const page = await testApp
    .browser()
    .get(`/newsletter/confirm?token=${encodeURIComponent(token)}`);
  const submitted = await testApp.browser().submit('/api/newsletter/confirm', { token });
  expect([page.status, submitted.status]).toEqual([303, 303]);
  return [page.headers.get('Location'), submitted.headers.get('Location')];
}

test('a link works for 48 hours', async () => {
  await using testApp = await makeTestApp();
  const [inTime, late] = [
    await askToSubscribe(testApp),
    await askToSubscribe(testApp, 'late@example.com'),
  ];
  testApp.clock.move(2 * day - 1);
  expect((await confirmSubscription(testApp, inTime)).status).toBe(200);
  testApp.clock.move(1);
  const response = await confirmSubscription(testApp, late);
  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({ code: 'dead_link' });
  const dead = '/newsletter/dead-link';
  expect(await redirectsOf(testApp, late)).toEqual([dead, dead]);
});

test('confirming twice succeeds without another email', async () => {
  await using testApp = await makeTestApp();
  const token = await askToSubscribe(testApp);
  const submitted = await testApp.browser().submit('/api/newsletter/confirm', { token });
  expect([submitted.status, submitted.headers.get('Location')]).toEqual([
    303,
    '/newsletter/confirmed',
  ]);
  const [before] = await subscriptions(testApp);
  testApp.clock.move(3 * day);

  const confirmed = '/newsletter/confirmed';
  expect(await redirectsOf(testApp, token)).toEqual([confirmed, confirmed]);
  expect(await subscriptions(testApp)).toEqual([before]);
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation', 'newsletter-welcome']);
});

test.each(['forged', 'x'.repeat(43), '../../etc/passwd', "' OR 1=1 --"])(
  'rejects the unknown token %j',
  async (token) => {
    await using testApp = await makeTestApp();
    await askToSubscribe(testApp);
    expect((await confirmSubscription(testApp, token)).status).toBe(410);
    const dead = '/newsletter/dead-link';
    expect(await redirectsOf(testApp, token)).toEqual([dead, dead]);
    expect(await subscriptions(testApp)).toMatchObject([{ state: 'pending' }]);
  },
);

test('redirects a link without a token to an error page', async () => {
  await using testApp = await makeTestApp();
  const page = await testApp.browser().get('/newsletter/confirm');
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/newsletter/dead-link']);
  const submitted = await testApp.browser().submit('/api/newsletter/confirm', {});
  expect([submitted.status, submitted.headers.get('Location')]).toEqual([
    303,
    '/newsletter/failed#invalid',
  ]);
  const leave = await testApp.browser().get('/newsletter/unsubscribe');
  expect([leave.status, leave.headers.get('Location')]).toEqual([303, '/newsletter/unknown-link']);
});
