import { messages } from '@app/contract/messages';
import { newsletterSubscriptions } from '@app/db/schema/newsletter';
import { expect, test } from 'vitest';
import { makeTestApp, publicUrl, type TestApp } from '../testing/test-app.ts';

const subscribe = (testApp: TestApp, email: unknown) =>
  testApp.browser().post('/api/newsletter', { email });

const addresses = async ({ deps }: TestApp) =>
  (await deps.db.select().from(newsletterSubscriptions)).map(({ email }) => email);

test('an address is put on the list', async () => {
  await using testApp = await makeTestApp();
  const response = await subscribe(testApp, 'vera@example.com');
  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ subscribed: true });
  expect(await testApp.deps.db.select().from(newsletterSubscriptions)).toEqual([
    { id: expect.any(String), email: 'vera@example.com', createdAt: testApp.clock.now() },
  ]);
});

test('an address is on the list once, however it is written', async () => {
  await using testApp = await makeTestApp();
  await subscribe(testApp, 'vera@example.com');
  for (const again of ['vera@example.com', 'Vera@Example.COM', ' vera@example.com ']) {
    const response = await subscribe(testApp, again);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: 'already_subscribed',
      title: messages.newsletter.alreadySubscribed.title,
      detail: messages.newsletter.alreadySubscribed.description,
    });
  }
  expect(await addresses(testApp)).toEqual(['vera@example.com']);
});

test('of two that come at once, one is told that it is on the list already', async () => {
  await using testApp = await makeTestApp();
  const both = await Promise.all([
    subscribe(testApp, 'vera@example.com'),
    subscribe(testApp, 'VERA@example.com'),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test.each(['', '  ', 'vera', 'vera at example.com', 'vera@example.com\nBcc: all@example.com'])(
  '%j is refused in the words of the form',
  async (email) => {
    await using testApp = await makeTestApp();
    const response = await subscribe(testApp, email);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      issues: [{ path: 'email', message: messages.newsletter.invalid.description }],
    });
    expect(await addresses(testApp)).toEqual([]);
  },
);

test('a list that cannot be written to is no secret, its cause is', async () => {
  await using testApp = await makeTestApp();
  testApp.deps.db.$client.exec(
    "CREATE TRIGGER full BEFORE INSERT ON newsletter_subscriptions BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  const response = await subscribe(testApp, 'vera@example.com');
  expect(response.status).toBe(500);
  const problem = await response.text();
  expect(JSON.parse(problem)).toMatchObject({ code: 'internal' });
  expect(problem).not.toContain('disk');
});

test('a form without scripts is led back to the page it was on, at the notice that fits', async () => {
  await using testApp = await makeTestApp();
  const submit = async (email: string, headers: Record<string, string>) => {
    const response = await testApp.browser().request('POST', '/api/newsletter', {
      headers,
      body: new URLSearchParams({ email }),
    });
    return [response.status, response.headers.get('Location')];
  };
  const about = { Referer: `${publicUrl}/about` };

  expect(await submit('vera@example.com', about)).toEqual([303, '/about#newsletter-subscribed']);
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
