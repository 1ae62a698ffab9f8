import { messages } from '@app/contract/messages';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import { makeTestApp, publicUrl, type TestApp, tokenEmailedTo } from '../../testing/test-app.ts';

const email = 'vera@example.com';
const minute = 60_000;
const day = 24 * 60 * minute;

const subscribe = (testApp: TestApp, address: unknown) =>
  testApp.browser().post('/api/newsletter', { email: address });

const rows = ({ deps }: TestApp) => deps.db.select().from(newsletterSubscriptions);

/** Subscribes, and returns the emailed token. */
async function ask(testApp: TestApp, address = email): Promise<string> {
  await subscribe(testApp, address);
  await testApp.deps.outbox.drain();
  return tokenEmailedTo(testApp, address);
}

const confirm = (testApp: TestApp, token: string) =>
  testApp.browser().post('/api/newsletter/confirm', { token });

async function join(testApp: TestApp, address = email): Promise<void> {
  const response = await confirm(testApp, await ask(testApp, address));
  if (response.status !== 200) throw new Error(`confirming answered ${response.status}`);
  await testApp.deps.outbox.drain();
}

const kindsOfEmail = async (testApp: TestApp): Promise<string[]> => {
  await testApp.deps.outbox.drain();
  return testApp.emails.sent.map(({ kind }) => kind);
};

test('emails a confirmation link, and stores a pending subscription', async () => {
  await using testApp = await makeTestApp();
  const response = await subscribe(testApp, email);
  expect(response.status).toBe(201);
  expect(await response.json()).toEqual({ subscribed: true });
  expect(await rows(testApp)).toEqual([
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
  expect(JSON.stringify(await rows(testApp))).not.toContain(token);
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
  expect(await rows(testApp)).toEqual([]);
});

test('subscribes an address once, ignoring case', async () => {
  await using testApp = await makeTestApp();
  await join(testApp);
  const sentEmails = await kindsOfEmail(testApp);
  const [before] = await rows(testApp);
  testApp.clock.move(2 * day);
  for (const again of [email, 'Vera@Example.COM', ` ${email} `]) {
    const response = await subscribe(testApp, again);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: 'already_subscribed',
      title: messages.newsletter.alreadySubscribed.title,
      detail: messages.newsletter.alreadySubscribed.description,
    });
  }
  expect(await rows(testApp)).toEqual([before]);
  expect(await kindsOfEmail(testApp)).toEqual(sentEmails);
});

test.each(['', '  ', 'vera', 'vera at example.com', 'vera@example.com\nBcc: all@example.com'])(
  'rejects %j at the field',
  async (address) => {
    await using testApp = await makeTestApp();
    const response = await subscribe(testApp, address);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      issues: [{ path: 'email', message: messages.newsletter.invalid.description }],
    });
    expect(await rows(testApp)).toEqual([]);
  },
);

test('a second request replaces the link', async () => {
  await using testApp = await makeTestApp();
  const first = await ask(testApp);
  testApp.clock.move(minute);
  const second = await ask(testApp);

  expect(second).not.toBe(first);
  expect((await confirm(testApp, first)).status).toBe(410);
  expect((await confirm(testApp, second)).status).toBe(200);
  expect(await rows(testApp)).toHaveLength(1);
});

test('of fifty concurrent requests one sends an email, with the same reply to all', async () => {
  await using testApp = await makeTestApp();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      subscribe(testApp, index % 2 === 0 ? email : email.toUpperCase()),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation']);
  expect((await confirm(testApp, tokenEmailedTo(testApp, email))).status).toBe(200);
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
  // A day after the first email, but not after the last.
  expect(await askAfter(12 * 60 * minute)).toBe(3);
  expect(await askAfter(12 * 60 * minute - minute - 1)).toBe(3);
  expect((await rows(testApp))[0]).toMatchObject({ confirmationEmailsSent: 3 });
  expect(await askAfter(1)).toBe(4);
  expect((await rows(testApp))[0]).toMatchObject({ confirmationEmailsSent: 1 });
  expect(tokenEmailedTo(testApp, email)).not.toBe(last);
  expect(await askAfter(minute)).toBe(5);

  await subscribe(testApp, 'bob@example.com');
  expect(await kindsOfEmail(testApp)).toHaveLength(6);
});

test('a request without an email keeps the link', async () => {
  await using testApp = await makeTestApp();
  const token = await ask(testApp);
  await subscribe(testApp, email);
  expect((await confirm(testApp, token)).status).toBe(200);
});

test('confirming subscribes the address and emails a welcome', async () => {
  await using testApp = await makeTestApp();
  const token = await ask(testApp);
  testApp.clock.move(minute);
  const response = await confirm(testApp, token);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ confirmed: true });
  expect(await rows(testApp)).toEqual([
    expect.objectContaining({ email, state: 'confirmed', confirmedAt: testApp.clock.now() }),
  ]);
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation', 'newsletter-welcome']);
});

test('stores the confirmation and the welcome email in one commit', async () => {
  await using testApp = await makeTestApp();
  const token = await ask(testApp);
  const { $client: client } = testApp.deps.db;
  client.exec(
    "CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );
  expect((await confirm(testApp, token)).status).toBe(500);
  expect(await rows(testApp)).toMatchObject([{ state: 'pending' }]);
  client.exec('DROP TRIGGER full');
  expect((await confirm(testApp, token)).status).toBe(200);
});

test('fifty concurrent uses of a link send one welcome email', async () => {
  await using testApp = await makeTestApp();
  const token = await ask(testApp);
  const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(testApp, token)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation', 'newsletter-welcome']);
});

test('opening the link, as email scanners do, confirms nothing', async () => {
  await using testApp = await makeTestApp();
  const token = await ask(testApp);
  const before = await rows(testApp);
  const page = await testApp.browser().get(`/newsletter/confirm?token=${token}`);
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
  expect(await page.text()).toContain(JSON.stringify({ kind: 'newsletterConfirm', token }));
  expect(await rows(testApp)).toEqual(before);
});

/** Where the link and its button lead. */
async function placesOf(testApp: TestApp, token: string): Promise<(string | null)[]> {
  const page = await testApp
    .browser()
    .get(`/newsletter/confirm?token=${encodeURIComponent(token)}`);
  const press = await testApp.browser().submit('/api/newsletter/confirm', { token });
  expect([page.status, press.status]).toEqual([303, 303]);
  return [page.headers.get('Location'), press.headers.get('Location')];
}

test('a link works for 48 hours', async () => {
  await using testApp = await makeTestApp();
  const [inTime, late] = [await ask(testApp), await ask(testApp, 'late@example.com')];
  testApp.clock.move(2 * day - 1);
  expect((await confirm(testApp, inTime)).status).toBe(200);
  testApp.clock.move(1);
  const response = await confirm(testApp, late);
  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({ code: 'dead_link' });
  const dead = '/newsletter/dead-link';
  expect(await placesOf(testApp, late)).toEqual([dead, dead]);
});

test('confirming twice succeeds without another email', async () => {
  await using testApp = await makeTestApp();
  const token = await ask(testApp);
  const press = await testApp.browser().submit('/api/newsletter/confirm', { token });
  expect([press.status, press.headers.get('Location')]).toEqual([303, '/newsletter/confirmed']);
  const [before] = await rows(testApp);
  testApp.clock.move(3 * day);

  const confirmed = '/newsletter/confirmed';
  expect(await placesOf(testApp, token)).toEqual([confirmed, confirmed]);
  expect(await rows(testApp)).toEqual([before]);
  expect(await kindsOfEmail(testApp)).toEqual(['newsletter-confirmation', 'newsletter-welcome']);
});

test.each(['forged', 'x'.repeat(43), '../../etc/passwd', "' OR 1=1 --"])(
  'rejects the unknown token %j',
  async (token) => {
    await using testApp = await makeTestApp();
    await ask(testApp);
    expect((await confirm(testApp, token)).status).toBe(410);
    const dead = '/newsletter/dead-link';
    expect(await placesOf(testApp, token)).toEqual([dead, dead]);
    expect(await rows(testApp)).toMatchObject([{ state: 'pending' }]);
  },
);

test('a link without its token', async () => {
  await using testApp = await makeTestApp();
  const page = await testApp.browser().get('/newsletter/confirm');
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/newsletter/dead-link']);
  const press = await testApp.browser().submit('/api/newsletter/confirm', {});
  expect([press.status, press.headers.get('Location')]).toEqual([
    303,
    '/newsletter/failed#invalid',
  ]);
  const leave = await testApp.browser().get('/newsletter/unsubscribe');
  expect([leave.status, leave.headers.get('Location')]).toEqual([303, '/newsletter/unknown-link']);
});

/** From the header. */
function unsubscribeAddress({ emails }: TestApp): string {
  const header = emails.sent.at(-1)?.headers?.['List-Unsubscribe'];
  return /^<(.+)>$/.exec(header ?? '')?.[1] ?? '';
}

test('the welcome email has one-click unsubscribe headers', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  await join(testApp);
  const welcome = testApp.emails.sent.at(-1);
  const token = tokenEmailedTo(testApp, email);
  expect(welcome?.replyTo).toBe(company.mailboxes.hello);
  expect(welcome?.headers).toEqual({
    'List-Unsubscribe': `<${publicUrl}/api/newsletter/unsubscribe?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  const link = `${publicUrl}/newsletter/unsubscribe?token=${token}`;
  expect(welcome?.text).toContain(link);
  expect(welcome?.html).toContain(`href="${link}"`);
});

const multipart =
  '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  ['multipart/form-data; boundary=b', multipart],
])('unsubscribes with one click (%s)', async (type, body) => {
  await using testApp = await makeTestApp();
  await join(testApp);
  const address = unsubscribeAddress(testApp);
  testApp.clock.move(day);
  const click = async () => {
    const headers = { 'Content-Type': type };
    const response = await testApp.app.request(address, { method: 'POST', headers, body });
    return [response.status, await response.json(), (await rows(testApp))[0]];
  };
  const left = { state: 'unsubscribed', unsubscribedAt: testApp.clock.now() };
  const first = [200, { unsubscribed: true }, expect.objectContaining(left)];
  expect(await click()).toEqual(first);
  testApp.clock.move(day);
  expect(await click()).toEqual(first);
});

test('opening the unsubscribe URL redirects to the page with the button', async () => {
  await using testApp = await makeTestApp();
  await join(testApp);
  const token = tokenEmailedTo(testApp, email);
  const browser = testApp.browser();

  const opened = await browser.get(unsubscribeAddress(testApp));
  const path = `/newsletter/unsubscribe?token=${token}`;
  expect([opened.status, opened.headers.get('Location')]).toEqual([303, path]);
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await page.text()).toContain(JSON.stringify({ kind: 'newsletterUnsubscribe', token }));
  expect(await rows(testApp)).toMatchObject([{ state: 'confirmed' }]);

  for (const _ of ['first', 'second']) {
    const press = await browser.submit(`/api/newsletter/unsubscribe?token=${token}`, {});
    expect([press.status, press.headers.get('Location')]).toEqual([
      303,
      '/newsletter/unsubscribed',
    ]);
    expect(await rows(testApp)).toMatchObject([{ state: 'unsubscribed' }]);
  }
});

test.each(['', 'forged', 'x'.repeat(43), "' OR 1=1 --"])(
  'rejects the unknown unsubscribe token %j',
  async (token) => {
    await using testApp = await makeTestApp();
    await join(testApp);
    const query = `token=${encodeURIComponent(token)}`;
    const click = await testApp.app.request(`/api/newsletter/unsubscribe?${query}`, {
      method: 'POST',
    });
    expect(click.status).toBe(410);
    expect(await click.json()).toMatchObject({ code: 'dead_link' });
    const press = await testApp.browser().submit(`/api/newsletter/unsubscribe?${query}`, {});
    const page = await testApp.browser().get(`/newsletter/unsubscribe?${query}`);
    for (const { status, headers } of [press, page]) {
      expect([status, headers.get('Location')]).toEqual([303, '/newsletter/unknown-link']);
    }
    expect(await rows(testApp)).toMatchObject([{ state: 'confirmed' }]);
  },
);

test('resubscribing requires confirmation, and old unsubscribe links still work', async () => {
  await using testApp = await makeTestApp();
  const first = await ask(testApp);
  await confirm(testApp, first);
  await testApp.deps.outbox.drain();
  const leave = unsubscribeAddress(testApp);
  await testApp.app.request(leave, { method: 'POST' });

  expect((await confirm(testApp, first)).status).toBe(410);
  testApp.clock.move(minute);
  const second = await ask(testApp);
  expect(await rows(testApp)).toMatchObject([{ state: 'pending' }]);
  expect((await confirm(testApp, second)).status).toBe(200);
  expect(await rows(testApp)).toMatchObject([{ state: 'confirmed' }]);

  await testApp.app.request(leave, { method: 'POST' });
  expect(await rows(testApp)).toMatchObject([{ state: 'unsubscribed' }]);
});

test('reports a storage failure without its cause', async () => {
  await using testApp = await makeTestApp();
  await join(testApp);
  const token = tokenEmailedTo(testApp, email);
  testApp.deps.db.$client.exec('DROP TABLE newsletter_subscriptions');
  const response = await confirm(testApp, token);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('newsletter_subscriptions');
  for (const path of ['/api/newsletter/confirm', `/api/newsletter/unsubscribe?token=${token}`]) {
    const press = await testApp.browser().submit(path, { token });
    expect([press.status, press.headers.get('Location')]).toEqual([
      303,
      '/newsletter/failed#failed',
    ]);
  }
});

test('redirects a form without JavaScript to its page with a notice', async () => {
  await using testApp = await makeTestApp();
  await join(testApp);
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
