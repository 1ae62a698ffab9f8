import { day, minute } from '@app/contract/durations';
import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { renderEmail } from '../../email-worker.ts';
import {
  askToSubscribe,
  confirmSubscription,
  email,
  joinNewsletter,
  subscriptions,
} from '../../testing/newsletter.ts';
import { makeTestApp, publicUrl, type TestApp, tokenEmailedTo } from '../../testing/test-app.ts';

/** The URL in the List-Unsubscribe header. */
function unsubscribeAddress({ emails }: TestApp): string {
  const header = emails.sent.at(-1)?.headers?.['List-Unsubscribe'];
  return /^<(.+)>$/.exec(header ?? '')?.[1] ?? '';
}

test('the welcome email has one-click unsubscribe headers', async () => {
  await using testApp = await makeTestApp({ renderEmail });
  await joinNewsletter(testApp);
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
  await joinNewsletter(testApp);
  const address = unsubscribeAddress(testApp);
  testApp.clock.move(day);
  const click = async () => {
    const headers = { 'Content-Type': type };
    const response = await testApp.app.request(address, { method: 'POST', headers, body });
    return [response.status, await response.json(), (await subscriptions(testApp))[0]];
  };
  const left = { state: 'unsubscribed', unsubscribedAt: testApp.clock.now() };
  const first = [200, { unsubscribed: true }, expect.objectContaining(left)];
  expect(await click()).toEqual(first);
  testApp.clock.move(day);
  expect(await click()).toEqual(first);
});

test('opening the unsubscribe URL redirects to the page with the button', async () => {
  await using testApp = await makeTestApp();
  await joinNewsletter(testApp);
  const token = tokenEmailedTo(testApp, email);
  const browser = testApp.browser();

  const opened = await browser.get(unsubscribeAddress(testApp));
  const path = `/newsletter/unsubscribe?token=${token}`;
  expect([opened.status, opened.headers.get('Location')]).toEqual([303, path]);
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await page.text()).toContain(JSON.stringify({ kind: 'newsletterUnsubscribe', token }));
  expect(await subscriptions(testApp)).toMatchObject([{ state: 'confirmed' }]);

  for (const _ of ['first', 'second']) {
    const submitted = await browser.submit(`/api/newsletter/unsubscribe?token=${token}`, {});
    expect([submitted.status, submitted.headers.get('Location')]).toEqual([
      303,
      '/newsletter/unsubscribed',
    ]);
    expect(await subscriptions(testApp)).toMatchObject([{ state: 'unsubscribed' }]);
  }
});

test.each(['', 'forged', 'x'.repeat(43), "' OR 1=1 --"])(
  'rejects the unknown unsubscribe token %j',
  async (token) => {
    await using testApp = await makeTestApp();
    await joinNewsletter(testApp);
    const query = `token=${encodeURIComponent(token)}`;
    const click = await testApp.app.request(`/api/newsletter/unsubscribe?${query}`, {
      method: 'POST',
    });
    expect(click.status).toBe(410);
    expect(await click.json()).toMatchObject({ code: 'dead_link' });
    const submitted = await testApp.browser().submit(`/api/newsletter/unsubscribe?${query}`, {});
    const page = await testApp.browser().get(`/newsletter/unsubscribe?${query}`);
    for (const { status, headers } of [submitted, page]) {
      expect([status, headers.get('Location')]).toEqual([303, '/newsletter/unknown-link']);
    }
    expect(await subscriptions(testApp)).toMatchObject([{ state: 'confirmed' }]);
  },
);

test('resubscribing requires confirmation, and old unsubscribe links still work', async () => {
  await using testApp = await makeTestApp();
  const first = await askToSubscribe(testApp);
  await confirmSubscription(testApp, first);
  await testApp.deps.outbox.drain();
  const leave = unsubscribeAddress(testApp);
  await testApp.app.request(leave, { method: 'POST' });

  expect((await confirmSubscription(testApp, first)).status).toBe(410);
  testApp.clock.move(minute);
  const second = await askToSubscribe(testApp);
  expect(await subscriptions(testApp)).toMatchObject([{ state: 'pending' }]);
  expect((await confirmSubscription(testApp, second)).status).toBe(200);
  expect(await subscriptions(testApp)).toMatchObject([{ state: 'confirmed' }]);

  await testApp.app.request(leave, { method: 'POST' });
  expect(await subscriptions(testApp)).toMatchObject([{ state: 'unsubscribed' }]);
});
