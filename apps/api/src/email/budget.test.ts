import { requestedEmails } from '@app/db/schema/email';
import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestApp } from '../testing/test-app.ts';
import { mailboxOf } from './budget.ts';
import { deleteSent } from './cleanup.ts';

const day = 24 * 60 * 60 * 1_000;

test.each([
  ['Ann@Example.com', 'ann@example.com'],
  ['ann+news@example.com', 'ann@example.com'],
  ['ann+a+b@example.com', 'ann@example.com'],
  ['a.n.n+x@gmail.com', 'ann@gmail.com'],
  ['a.n.n@googlemail.com', 'ann@gmail.com'],
])('%s belongs to the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

test('ignores dots for Gmail only', () => {
  expect(mailboxOf('a.nn@example.com')).not.toBe(mailboxOf('ann@example.com'));
});

/** Requests every kind of email that visitors can trigger, from different networks. */
async function flood(testApp: TestApp, addresses: readonly string[]) {
  const statuses: number[] = [];
  for (const email of addresses) {
    for (const [path, body] of [
      ['/api/auth/sign-up', { email, password: 'a trap for you' }],
      ['/api/auth/resend-confirmation', { email }],
      ['/api/auth/forgot-password', { email }],
      ['/api/newsletter', { email }],
      ['/api/contact', { name: 'Vera', email, message: `Hello ${statuses.length}` }],
    ] as const) {
      statuses.push((await testApp.browser().post(path, body)).status);
    }
  }
  const eve = await signedInBrowser(testApp, `eve-${crypto.randomUUID()}@example.com`);
  for (const email of addresses.slice(0, 3)) {
    statuses.push((await eve.post('/api/auth/email', { email })).status);
  }
  await testApp.deps.outbox.drain();
  return statuses;
}

const spellings = ['ann@gmail.com', 'ann+1@gmail.com', 'a.nn@gmail.com', 'ann+2@googlemail.com'];

const emailsTo = ({ emails }: TestApp) =>
  emails.sent.filter(({ to }) => spellings.includes(to)).length;

test('limits a mailbox to eight emails a day of all kinds and spellings', async () => {
  await using testApp = await makeTestApp();

  const statuses = await flood(testApp, spellings);

  // Requests that send no email count too.
  const sent = emailsTo(testApp);
  expect(sent).toBeGreaterThan(5);
  expect(sent).toBeLessThanOrEqual(8);
  // The replies reveal nothing.
  expect(new Set(statuses)).toEqual(new Set([201, 202]));

  testApp.clock.move(day);
  await flood(testApp, spellings);
  expect(emailsTo(testApp)).toBeGreaterThan(sent);
  expect(emailsTo(testApp)).toBeLessThanOrEqual(sent + 8);
});

test('does not count emails that owners request for their own address', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@gmail.com');
  await flood(testApp, spellings);
  const sent = emailsTo(testApp);
  await flood(testApp, spellings);
  expect(emailsTo(testApp)).toBe(sent);

  for (const password of ['battery staple', 'horse battery']) {
    expect((await ann.send('PUT', '/api/auth/password', { password })).status).toBe(200);
  }

  await testApp.deps.outbox.drain();
  expect(emailsTo(testApp)).toBe(sent + 2);
});

test('ignores counts from a clock that was ahead, and deletes old ones', async () => {
  await using testApp = await makeTestApp();
  testApp.clock.set(730 * day);
  await flood(testApp, spellings);
  const sent = emailsTo(testApp);
  testApp.clock.set(-730 * day);
  testApp.clock.move(day);

  await flood(testApp, spellings);
  expect(emailsTo(testApp)).toBeGreaterThan(sent);
  testApp.clock.move(day);
  await deleteSent(testApp.deps);
  expect(await testApp.deps.db.select().from(requestedEmails)).toEqual([]);
});
