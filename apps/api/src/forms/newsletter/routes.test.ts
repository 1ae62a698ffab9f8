import { day, minute } from '@app/contract/durations';
import { newsletterMessages } from '@app/contract/forms/newsletter';
import { expect, test } from 'vitest';
import {
  askToSubscribe,
  confirmSubscription,
  email,
  joinNewsletter,
  kindsOfEmail,
  subscribe,
  subscriptions,
} from '../../testing/newsletter.ts';
import { makeTestApp, publicUrl, tokenEmailedTo } from '../../testing/test-app.ts';

test('emails a confirmation link, and stores a pending subscription', async () => {
  await using testApp = await makeTestApp();
  const response = await subscribe(testApp, email);
  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ subscribed: true });
  expect(await subscriptions(testApp)).toEqual([
    expect.objectContaining({
      email,
      state: 'pending',
      confirmExpiresAt: testApp.clock.now() + 2 * day,
      confirmedAt: null,
      createdAt: testApp.clock.now(),
    }),
  ]);

  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toMatchObject([{ kind: 'newsletter-confirmation', to: email }]);
  const token = tokenEmailedTo(testApp, email);
  expect(testApp.emails.sent[0]?.text).toContain(`${publicUrl}/newsletter/confirm?token=${token}`);
  expect(JSON.stringify(await subscriptions(testApp))).not.toContain(token);
});

test('stores the subscription and its email in one commit', async () => {
  await using testApp = await makeTestApp();
  testApp.deps.db.$client.exec(
    "CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  const response = await subscribe(testApp, email);
  expect(response.status).toBe(500);
  const problem = await response.text();
  expect(JSON.parse(problem)).toMatchObject({ code: 'internal' });
  expect(problem).not.toContain('disk');
  expect(await subscriptions(testApp)).toEqual([]);
});

test('subscribes an address once, ignoring case', async () => {
  await using testApp = await makeTestApp();
  await joinNewsletter(testApp);
  const sentEmails = await kindsOfEmail(testApp);
  const [before] = await subscriptions(testApp);
  testApp.clock.move(2 * day);
  for (const again of [email, 'Vera@Example.COM', ` ${email} `]) {
    const response = await subscribe(testApp, again);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: 'already_subscribed',
      title: newsletterMessages.alreadySubscribed.title,
      detail: newsletterMessages.alreadySubscribed.description,
    });
  }
  expect(await subscriptions(testApp)).toEqual([before]);
  expect(await kindsOfEmail(testApp)).toEqual(sentEmails);
});

test.each(['', '  ', 'vera', 'vera at example.com', 'vera@example.com\nBcc: all@example.com'])(
  'rejects %j at the field',
  async (address) => {
    await using testApp = await makeTestApp();
    const response = await subscribe(testApp, address);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      issues: [{ path: 'email', message: newsletterMessages.invalid.description }],
    });
    expect(await subscriptions(testApp)).toEqual([]);
  },
);

test('a second request replaces the link', async () => {
  await using testApp = await makeTestApp();
  const first = await askToSubscribe(testApp);
  testApp.clock.move(minute);
  const second = await askToSubscribe(testApp);

  expect(second).not.toBe(first);
  expect((await confirmSubscription(testApp, first)).status).toBe(410);
  expect((await confirmSubscription(testApp, second)).status).toBe(200);
  expect(await subscriptions(testApp)).toHaveLength(1);
});

test('of fifty concurrent requests, one sends an email, and all get the same reply', async () => {
  await using testApp = await makeTestApp();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      subscribe(testApp, index % 2 === 0 ? email : email.toUpperCase()),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation']);
  expect((await confirmSubscription(testApp, tokenEmailedTo(testApp, email))).status).toBe(200);
});

test('limits emails to three, a minute apart, then none for a day', async () => {
  await using testApp = await makeTestApp();
  const askAfter = async (milliseconds: number): Promise<number> => {
    testApp.clock.move(milliseconds);
    const response = await subscribe(testApp, email);
    expect([response.status, await response.json()]).toEqual([201, { subscribed: true }]);
    return (await kindsOfEmail(testApp)).length;
  };
  expect(await askAfter(0)).toBe(1);
  expect(await askAfter(minute - 1)).toBe(1);
  expect(await askAfter(1)).toBe(2);
  expect(await askAfter(day - 2 * minute)).toBe(3);
  const last = tokenEmailedTo(testApp, email);
  expect(await askAfter(minute)).toBe(3);
  // A day has passed since the first email, but not since the last.
  expect(await askAfter(12 * 60 * minute)).toBe(3);
  expect(await askAfter(12 * 60 * minute - minute - 1)).toBe(3);
  expect((await subscriptions(testApp))[0]).toMatchObject({ confirmationEmailsSent: 3 });
  expect(await askAfter(1)).toBe(4);
  expect((await subscriptions(testApp))[0]).toMatchObject({ confirmationEmailsSent: 1 });
  expect(tokenEmailedTo(testApp, email)).not.toBe(last);
  expect(await askAfter(minute)).toBe(5);

  await subscribe(testApp, 'bob@example.com');
  expect(await kindsOfEmail(testApp)).toHaveLength(6);
});

test('a request without an email keeps the link', async () => {
  await using testApp = await makeTestApp();
  const token = await askToSubscribe(testApp);
  await subscribe(testApp, email);
  expect((await confirmSubscription(testApp, token)).status).toBe(200);
});

test('reports a storage failure without its cause', async () => {
  await using testApp = await makeTestApp();
  await joinNewsletter(testApp);
  const token = tokenEmailedTo(testApp, email);
  testApp.deps.db.$client.exec('DROP TABLE newsletter_subscriptions');
  const response = await confirmSubscription(testApp, token);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('newsletter_subscriptions');
  for (const path of ['/api/newsletter/confirm', `/api/newsletter/unsubscribe?token=${token}`]) {
    const submitted = await testApp.browser().submit(path, { token });
    expect([submitted.status, submitted.headers.get('Location')]).toEqual([
      303,
      '/newsletter/failed#failed',
    ]);
  }
});

test('redirects a form without JavaScript to its page with a notice', async () => {
  await using testApp = await makeTestApp();
  await joinNewsletter(testApp);
  const submit = async (address: string, headers: Record<string, string>) => {
    const response = await testApp.browser().request('POST', '/api/newsletter', {
      headers,
      body: new URLSearchParams({ email: address }),
    });
    return [response.status, response.headers.get('Location')];
  };
  const about = { Referer: `${publicUrl}/about` };

  expect(await submit('zoe@example.com', about)).toEqual([303, '/about#newsletter-subscribed']);
  expect(await submit('Vera@example.com', about)).toEqual([
    303,
    '/about#newsletter-already-subscribed',
  ]);
  expect(await submit('vera', about)).toEqual([303, '/about#newsletter-invalid']);
  expect(await submit('one@example.com', {})).toEqual([303, '/#newsletter-subscribed']);
  expect(await submit('two@example.com', { Referer: 'https://evil.example/x' })).toEqual([
    303,
    '/#newsletter-subscribed',
  ]);
  expect(await submit('three@example.com', { Referer: `${publicUrl}//evil.example` })).toEqual([
    303,
    '/#newsletter-subscribed',
  ]);

  testApp.deps.db.$client.exec('DROP TABLE newsletter_subscriptions');
  expect(await submit('four@example.com', about)).toEqual([303, '/about#newsletter-failed']);
});

test('limits subscriptions per network', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  for (let count = 0; count < 30; count += 1) {
    const response = await browser.post('/api/newsletter', { email: `n${count}@example.com` });
    expect(response.status).toBe(201);
  }
  const refused = await browser.post('/api/newsletter', { email: 'vera@example.com' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
});
