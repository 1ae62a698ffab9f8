import { createHmac } from 'node:crypto';
import { minute } from '@app/contract/durations';
import { emailSuppressions } from '@app/db/schema/email';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { afterEach, expect, test, vi } from 'vitest';
import { subscribe } from '../forms/newsletter/newsletter.ts';
import { allRows } from '../testing/tables.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../testing/test-app.ts';
import { type SignedReport, verifyReport } from './resend-events.ts';
import { findSuppression } from './suppressions.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

afterEach(() => void vi.useRealTimers());

/** The published example of a signature (docs.svix.com, "Verifying Webhooks Manually"). */
const example = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const exampleBody = '{"test": 2432232314}';
const then = 1_614_265_330_000;

function verifyExample(
  change: Partial<SignedReport['headers']> = {},
  { body = exampleBody, now = then, by = secret } = {},
) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  return verifyReport({ body: Buffer.from(body), headers: { ...example, ...change } }, by);
}

test('accepts the published example of a signature', () => {
  expect(verifyExample()).toEqual({ event: { test: 2432232314 } });
});

test('accepts one valid signature among several, as sent while a secret is rotated', () => {
  const other = `v1,${Buffer.alloc(32).toString('base64')}`;
  const asymmetric = `v1a,${example.signature.slice(3)}`;
  const signature = `${other} ${asymmetric} ${example.signature}`;
  expect(verifyExample({ signature })).not.toBeNull();
  expect(verifyExample({ signature: `${other} ${asymmetric}` })).toBeNull();
});

test.each<[string, Partial<SignedReport['headers']>]>([
  ['another id', { id: 'msg_other' }],
  ['no id', { id: '' }],
  ['another time', { timestamp: '1614265331' }],
  ['no signature', { signature: '' }],
  ['half a signature', { signature: example.signature.slice(0, 20) }],
  ['another version', { signature: example.signature.replace('v1', 'v2') }],
  ['a signature without its version', { signature: example.signature.slice(3) }],
  ['a version without its signature', { signature: 'v1' }],
  ['no time', { timestamp: '' }],
  ['a time that is not a number', { timestamp: 'NaN' }],
])('rejects %s', (_what, change) => {
  expect(verifyExample(change)).toBeNull();
});

test('rejects another body, and another secret', () => {
  expect(verifyExample({}, { body: `${exampleBody} ` })).toBeNull();
  expect(verifyExample({}, { by: otherSecret })).toBeNull();
});

test('accepts clocks five minutes apart', () => {
  for (const milliseconds of [-5 * minute, 5 * minute]) {
    expect(verifyExample({}, { now: then + milliseconds })).not.toBeNull();
    const second = 1_000 * Math.sign(milliseconds);
    expect(verifyExample({}, { now: then + milliseconds + second })).toBeNull();
  }
});

const makeApp = () => makeTestApp({ settings: { resendWebhookSecret: secret } });

function sign(body: string, timestamp: string, by = secret, id = 'msg_1'): string {
  const signature = createHmac('sha256', Buffer.from(by.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return `v1,${signature}`;
}

const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1_000) - seconds);

/** Posts as Resend does: signed, and without an Origin header. */
function report(
  testApp: TestApp,
  event: unknown,
  headers: Record<string, string> = {},
  id = 'msg_1',
) {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const timestamp = secondsAgo(0);
  return testApp.app.request('/api/mail/resend-events', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'svix-id': id,
      'svix-timestamp': timestamp,
      'svix-signature': sign(body, timestamp, secret, id),
      ...headers,
    },
    body,
  });
}

const data = (to: string) => ({
  created_at: '2026-03-01T11:59:00.000Z',
  email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
  from: 'Fieldlight AI <hello@fieldlight.example>',
  to: [to],
  subject: 'You are on the list',
});
const bounced = (to: string, type = 'Permanent') => ({
  type: 'email.bounced',
  created_at: '2026-03-01T12:00:00.000Z',
  data: {
    ...data(to),
    bounce: { type, subType: 'General', message: 'The mailbox does not exist.' },
  },
});
const complained = (to: string) => ({
  type: 'email.complained',
  created_at: '2026-03-01T12:00:00.000Z',
  data: data(to),
});

test('a permanent bounce suppresses the address and unsubscribes it', async () => {
  await using testApp = await makeApp();
  await subscribe(testApp.deps, { email: 'vera@example.com' });
  await subscribe(testApp.deps, { email: 'bob@example.com' });

  const response = await report(testApp, bounced('Vera@Example.com'));
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(findSuppression(testApp.deps.db, 'VERA@example.com')).toEqual({
    email: 'vera@example.com',
    reason: 'bounce',
    detail: 'General: The mailbox does not exist.',
    createdAt: testApp.clock.now(),
  });
  expect(findSuppression(testApp.deps.db, 'bob@example.com')).toBeNull();
  expect(await testApp.deps.db.select().from(newsletterSubscriptions)).toMatchObject([
    { email: 'vera@example.com', state: 'unsubscribed', unsubscribedAt: testApp.clock.now() },
    { email: 'bob@example.com', state: 'pending', unsubscribedAt: null },
  ]);
});

test('a complaint suppresses the address and unsubscribes it', async () => {
  await using testApp = await makeApp();
  await subscribe(testApp.deps, { email: 'vera@example.com' });
  expect((await report(testApp, complained('vera@example.com'))).status).toBe(204);
  expect(findSuppression(testApp.deps.db, 'vera@example.com')).toMatchObject({
    reason: 'complaint',
    detail: null,
  });
  expect(await testApp.deps.db.select().from(newsletterSubscriptions)).toMatchObject([
    { state: 'unsubscribed' },
  ]);
});

test('a bounce stops more than an earlier complaint', async () => {
  await using testApp = await makeApp();
  await report(testApp, complained('vera@example.com'));
  testApp.clock.move(minute);
  await report(testApp, bounced('vera@example.com'), {}, 'msg_2');
  expect(findSuppression(testApp.deps.db, 'vera@example.com')).toEqual({
    email: 'vera@example.com',
    reason: 'bounce',
    detail: 'General: The mailbox does not exist.',
    createdAt: testApp.clock.now(),
  });
});

test('a password can be reset after a complaint about another email', async () => {
  await using testApp = await makeApp();
  await signedInBrowser(testApp, 'vera@example.com');
  await report(testApp, complained('vera@example.com'));
  testApp.emails.sent.length = 0;
  await testApp.browser().post('/api/auth/forgot-password', { email: 'vera@example.com' });
  await testApp.browser().post('/api/newsletter', { email: 'vera@example.com' });
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.map(({ kind }) => kind)).toEqual(['password-reset']);
});

test('keeps the first report about an address', async () => {
  await using testApp = await makeApp();
  await subscribe(testApp.deps, { email: 'vera@example.com' });
  await testApp.deps.outbox.drain();
  await report(testApp, bounced('vera@example.com'));
  const before = allRows(testApp.deps.db);
  testApp.clock.move(minute);
  for (const event of [bounced('vera@example.com'), complained('vera@example.com')]) {
    expect((await report(testApp, event, {}, `msg_${event.type}`)).status).toBe(204);
  }
  expect({ ...allRows(testApp.deps.db), rate_limits: before['rate_limits'] }).toEqual(before);
});

test('processes an event once: a replay does not undo what the owner decided since', async () => {
  await using testApp = await makeApp();
  const { db } = testApp.deps;
  const event = complained('vera@example.com');
  expect((await report(testApp, event)).status).toBe(204);
  await db.delete(emailSuppressions);
  testApp.clock.move(10 * minute);
  const before = allRows(db);
  expect((await report(testApp, event)).status).toBe(204);
  expect(allRows(db)).toEqual(before);

  expect((await report(testApp, event, {}, 'msg_2')).status).toBe(204);
  expect(findSuppression(db, 'vera@example.com')).not.toBeNull();
});

test('processes an event again if storing its effect failed', async () => {
  await using testApp = await makeApp();
  const { db } = testApp.deps;
  db.run(
    'CREATE TRIGGER fail BEFORE INSERT ON email_suppressions BEGIN SELECT raise(ABORT, "no"); END',
  );
  expect((await report(testApp, complained('vera@example.com'))).status).toBe(500);
  db.run('DROP TRIGGER fail');
  expect((await report(testApp, complained('vera@example.com'))).status).toBe(204);
  expect(findSuppression(db, 'vera@example.com')).not.toBeNull();
});

test.each([
  ['a temporary bounce', bounced('vera@example.com', 'Transient')],
  ['a bounce of unknown type', bounced('vera@example.com', 'Undetermined')],
  ['a delivery', { type: 'email.delivered', data: data('vera@example.com') }],
  ['an event of an unknown type', { type: 'email.teleported', data: {} }],
])('%s suppresses nothing', async (_what, event) => {
  await using testApp = await makeApp();
  expect((await report(testApp, event)).status).toBe(204);
  expect(await testApp.deps.db.select().from(emailSuppressions)).toEqual([]);
});

test('does not suppress our own mailbox, but logs an error', async () => {
  await using testApp = await makeApp();
  const error = vi.spyOn(testApp.deps.log, 'error');
  expect((await report(testApp, bounced('Owner@example.com'))).status).toBe(204);
  expect(await testApp.deps.db.select().from(emailSuppressions)).toEqual([]);
  expect(error).toHaveBeenCalledOnce();
});

test.each<[string, Record<string, string>]>([
  ['unsigned', { 'svix-signature': '' }],
  ['signed with another secret', { 'svix-signature': example.signature }],
  ['signed for another id', { 'svix-id': 'msg_2' }],
  ['signed at another time', { 'svix-timestamp': '1' }],
])('rejects a report that is %s', async (_what, headers) => {
  await using testApp = await makeApp();
  const response = await report(testApp, complained('vera@example.com'), headers);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'not_allowed' });
  expect(await testApp.deps.db.select().from(emailSuppressions)).toEqual([]);
});

test('rejects a replayed report', async () => {
  await using testApp = await makeApp();
  const event = JSON.stringify(complained('vera@example.com'));
  const [recent, old] = [secondsAgo(290), secondsAgo(310)];
  const statusOf = async (timestamp: string) => {
    const headers = { 'svix-timestamp': timestamp, 'svix-signature': sign(event, timestamp) };
    return (await report(testApp, event, headers)).status;
  };
  expect([await statusOf(recent), await statusOf(old)]).toEqual([204, 403]);
});

test('accepts reports during a rotation, while Resend signs with both secrets', async () => {
  await using testApp = await makeApp();
  const event = JSON.stringify(complained('vera@example.com'));
  const timestamp = secondsAgo(0);
  const [old, current] = [sign(event, timestamp, otherSecret), sign(event, timestamp)];
  const statusOf = async (signature: string) =>
    (await report(testApp, event, { 'svix-timestamp': timestamp, 'svix-signature': signature }))
      .status;
  expect(await statusOf(`${old} ${current}`)).toBe(204);
  expect(await statusOf(old)).toBe(403);
});

test('replies 403 to invalid JSON that is unsigned, and 400 if it is signed', async () => {
  await using testApp = await makeApp();
  expect((await report(testApp, '{', { 'svix-signature': example.signature })).status).toBe(403);
  expect((await report(testApp, '{')).status).toBe(400);
});

test.each([
  ['invalid JSON', '{'],
  ['an empty body', ''],
  ['what is not an event', '[]'],
  ['a bounce without its address', { type: 'email.bounced', data: { bounce: {} } }],
  [
    'a complaint without a list of recipients',
    { type: 'email.complained', data: { to: 'vera@example.com' } },
  ],
])('rejects %s even if it is signed', async (_what, event) => {
  await using testApp = await makeApp();
  const response = await report(testApp, event);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'malformed_body' });
});

test('rejects reports without a secret', async () => {
  await using testApp = await makeTestApp();
  const response = await report(testApp, complained('vera@example.com'));
  expect(response.status).toBe(501);
  expect(await response.json()).toMatchObject({ code: 'not_configured' });
  expect(await testApp.deps.db.select().from(emailSuppressions)).toEqual([]);
});
