import { createHmac } from 'node:crypto';
import { mailSuppressions } from '@app/db/schema/email';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { expect, test, vi } from 'vitest';
import { subscribe } from '../forms/newsletter/newsletter.ts';
import { allRows } from '../testing/tables.ts';
import { makeTestApp, type TestApp } from '../testing/test-app.ts';
import { isSigned, type SignedReport } from './resend-events.ts';
import { findSuppression } from './suppressions.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const minute = 60_000;

/** The example of the signature's own documentation (docs.svix.com, "Verifying Webhooks Manually"). */
const example: SignedReport = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  signatures: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  body: Buffer.from('{"test": 2432232314}'),
};
const then = 1_614_265_330_000;

test('a signature is known by the published example', () => {
  expect(isSigned(example, secret, then)).toBe(true);
});

test('of several signatures one that is right will do: secrets are changed while in use', () => {
  const other = `v1,${Buffer.alloc(32).toString('base64')}`;
  const signatures = `${other} v1a,${example.signatures.slice(3)} ${example.signatures}`;
  expect(isSigned({ ...example, signatures }, secret, then)).toBe(true);
  expect(isSigned({ ...example, signatures: other }, secret, then)).toBe(false);
});

test.each<[string, Partial<SignedReport>]>([
  ['another id', { id: 'msg_other' }],
  ['another time', { timestamp: '1614265331' }],
  ['a byte more', { body: Buffer.from('{"test": 2432232314} ') }],
  ['no signature', { signatures: '' }],
  ['half a signature', { signatures: example.signatures.slice(0, 20) }],
  ['another version', { signatures: example.signatures.replace('v1', 'v2') }],
  ['a signature without its version', { signatures: example.signatures.slice(3) }],
  ['no time', { timestamp: '' }],
  ['a time that is none', { timestamp: 'NaN' }],
])('%s is not signed', (_what, change) => {
  expect(isSigned({ ...example, ...change }, secret, then)).toBe(false);
});

test('another secret signs otherwise', () => {
  expect(isSigned(example, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', then)).toBe(false);
});

test('clocks may be five minutes apart', () => {
  for (const milliseconds of [-5 * minute, 5 * minute]) {
    expect(isSigned(example, secret, then + milliseconds)).toBe(true);
    expect(isSigned(example, secret, then + milliseconds + Math.sign(milliseconds))).toBe(false);
  }
});

const makeApp = () => makeTestApp({ settings: { resendWebhookSecret: secret } });

/** Posts as Resend does: signed, and from no page. */
function report(testApp: TestApp, event: unknown, headers: Record<string, string> = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const timestamp = String(Math.floor(testApp.clock.now() / 1_000));
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`msg_1.${timestamp}.${body}`)
    .digest('base64');
  return testApp.app.request('/api/mail/resend-events', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'svix-id': 'msg_1',
      'svix-timestamp': timestamp,
      'svix-signature': `v1,${signature}`,
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

test('a mail that comes back for good ends what is sent there, the newsletter included', async () => {
  await using testApp = await makeApp();
  await subscribe(testApp.deps, { email: 'vera@example.com' });
  await subscribe(testApp.deps, { email: 'bob@example.com' });

  const response = await report(testApp, bounced('Vera@Example.com'));
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(await findSuppression(testApp.deps.db, 'VERA@example.com')).toEqual({
    email: 'vera@example.com',
    reason: 'bounce',
    detail: 'General: The mailbox does not exist.',
    createdAt: testApp.clock.now(),
  });
  expect(await findSuppression(testApp.deps.db, 'bob@example.com')).toBeNull();
  expect(await testApp.deps.db.select().from(newsletterSubscriptions)).toMatchObject([
    { email: 'vera@example.com', state: 'unsubscribed', unsubscribedAt: testApp.clock.now() },
    { email: 'bob@example.com', state: 'pending', unsubscribedAt: null },
  ]);
});

test('so does a complaint', async () => {
  await using testApp = await makeApp();
  await subscribe(testApp.deps, { email: 'vera@example.com' });
  expect((await report(testApp, complained('vera@example.com'))).status).toBe(204);
  expect(await findSuppression(testApp.deps.db, 'vera@example.com')).toMatchObject({
    reason: 'complaint',
    detail: null,
  });
  expect(await testApp.deps.db.select().from(newsletterSubscriptions)).toMatchObject([
    { state: 'unsubscribed' },
  ]);
});

test('a report that comes again changes nothing', async () => {
  await using testApp = await makeApp();
  await subscribe(testApp.deps, { email: 'vera@example.com' });
  await testApp.deps.outbox.drain();
  await report(testApp, bounced('vera@example.com'));
  const before = allRows(testApp.deps.db);
  testApp.clock.move(minute);
  for (const event of [bounced('vera@example.com'), complained('vera@example.com')]) {
    expect((await report(testApp, event)).status).toBe(204);
  }
  expect(allRows(testApp.deps.db)).toEqual(before);
});

test.each([
  ['a bounce that may pass', bounced('vera@example.com', 'Transient')],
  ['a bounce that nobody understands', bounced('vera@example.com', 'Undetermined')],
  ['a delivery', { type: 'email.delivered', data: data('vera@example.com') }],
  ['an event of tomorrow', { type: 'email.teleported', data: {} }],
])('%s ends nothing', async (_what, event) => {
  await using testApp = await makeApp();
  expect((await report(testApp, event)).status).toBe(204);
  expect(await testApp.deps.db.select().from(mailSuppressions)).toEqual([]);
});

test('our own mailbox goes on getting notices, and the log says that something is wrong with it', async () => {
  await using testApp = await makeApp();
  const error = vi.spyOn(testApp.deps.log, 'error');
  expect((await report(testApp, bounced('Owner@example.com'))).status).toBe(204);
  expect(await testApp.deps.db.select().from(mailSuppressions)).toEqual([]);
  expect(error).toHaveBeenCalledOnce();
});

test.each<[string, Record<string, string>]>([
  ['unsigned', { 'svix-signature': '' }],
  ['signed by somebody else', { 'svix-signature': example.signatures }],
  ['signed for another id', { 'svix-id': 'msg_2' }],
  ['signed at another time', { 'svix-timestamp': '1' }],
])('a report that is %s is refused', async (_what, headers) => {
  await using testApp = await makeApp();
  const response = await report(testApp, complained('vera@example.com'), headers);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'not_allowed' });
  expect(await testApp.deps.db.select().from(mailSuppressions)).toEqual([]);
});

test('a copy of a report is refused once it is old', async () => {
  await using testApp = await makeApp();
  const timestamp = String(Math.floor(testApp.clock.now() / 1_000) - 301);
  const body = JSON.stringify(complained('vera@example.com'));
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`msg_1.${timestamp}.${body}`)
    .digest('base64');
  const response = await report(testApp, body, {
    'svix-timestamp': timestamp,
    'svix-signature': `v1,${signature}`,
  });
  expect(response.status).toBe(403);
});

test.each([
  ['no JSON', '{'],
  ['no event', '[]'],
  ['a bounce without its address', { type: 'email.bounced', data: { bounce: {} } }],
  ['a complaint of nobody', { type: 'email.complained', data: { to: 'vera@example.com' } }],
])('%s, though signed, is refused, so that Resend says so', async (_what, event) => {
  await using testApp = await makeApp();
  const response = await report(testApp, event);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'malformed_body' });
});

test('without a secret no report is taken', async () => {
  await using testApp = await makeTestApp();
  const response = await report(testApp, complained('vera@example.com'));
  expect(response.status).toBe(501);
  expect(await response.json()).toMatchObject({ code: 'not_configured' });
  expect(await testApp.deps.db.select().from(mailSuppressions)).toEqual([]);
});
