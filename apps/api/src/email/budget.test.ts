import { day, minute } from '@app/contract/durations';
import { requestedEmails } from '@app/db/schema/email';
import { expect, test } from 'vitest';
import { makeTestApp, signedInBrowser, type TestApp } from '../testing/test-app.ts';
import { mailboxOf } from './budget.ts';
import { deleteSent } from './cleanup.ts';

test.each([
  ['Ann@Example.com', 'ann@example.com'],
  ['ann+news@example.com', 'ann@example.com'],
  ['ann+a+b@example.com', 'ann@example.com'],
  ['info+x@Müller.example', 'info@xn--mller-kva.example'],
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

test('limits a mailbox to eight emails a day, plus eight for its unconfirmed accounts', async () => {
  await using testApp = await makeTestApp();

  const statuses = await flood(testApp, spellings);
  testApp.clock.move(minute);
  statuses.push(...(await flood(testApp, spellings)));

  expect(emailsTo(testApp)).toBe(8 + 8);
  // The replies reveal nothing.
  expect(new Set(statuses)).toEqual(new Set([201, 202]));

  testApp.clock.move(day);
  await flood(testApp, spellings);
  expect(emailsTo(testApp)).toBeGreaterThan(8 + 8);
  testApp.clock.move(minute);
  await flood(testApp, spellings);
  expect(emailsTo(testApp)).toBe(2 * (8 + 8));
});

const requestLink = async (testApp: TestApp, endpoint: string, email: string) => {
  const response = await testApp.browser().post(`/api/auth/${endpoint}`, { email });
  expect(response.status).toBe(202);
};

const kindsTo = ({ emails }: TestApp, address: string) =>
  emails.sent.filter(({ to }) => to === address).map(({ kind }) => kind);

/** Creates a confirmed and an unconfirmed account. Earlier emails no longer count. */
async function makeAccounts(testApp: TestApp) {
  await signedInBrowser(testApp, 'ann@example.com');
  const credentials = { email: 'bob@example.com', password: 'correct horse' };
  await testApp.browser().post('/api/auth/sign-up', credentials);
  await testApp.deps.outbox.drain();
  testApp.clock.move(day);
  testApp.emails.sent.length = 0;
}

async function expectLinks(testApp: TestApp) {
  await requestLink(testApp, 'forgot-password', 'ann@example.com');
  await requestLink(testApp, 'resend-confirmation', 'bob@example.com');
  await testApp.deps.outbox.drain();
  expect(kindsTo(testApp, 'ann@example.com')).toEqual(['password-reset']);
  expect(kindsTo(testApp, 'bob@example.com')).toEqual(['confirmation']);
}

test('requests that send no email do not count for any mailbox', async () => {
  await using testApp = await makeTestApp();
  await makeAccounts(testApp);
  await requestLink(testApp, 'resend-confirmation', 'ann@example.com');
  for (let n = 0; n < 10; n += 1) {
    for (const name of ['ann', 'bob']) {
      await requestLink(testApp, 'resend-confirmation', `${name}+${n}@example.com`);
      await requestLink(testApp, 'forgot-password', `${name}+${n}@example.com`);
    }
  }
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toEqual([]);

  testApp.clock.move(minute);
  await expectLinks(testApp);
});

test('other emails to a mailbox do not block a password reset or a confirmation', async () => {
  await using testApp = await makeTestApp();
  await makeAccounts(testApp);
  for (let n = 0; n < 10; n += 1) {
    for (const name of ['ann', 'bob']) {
      await testApp.browser().post('/api/newsletter', { email: `${name}+${n}@example.com` });
    }
  }
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toHaveLength(8 + 8);

  await expectLinks(testApp);
});

test('password resets for accounts that strangers create do not block the owner’s', async () => {
  await using testApp = await makeTestApp();
  await makeAccounts(testApp);
  for (let n = 0; n < 10; n += 1) {
    const credentials = { email: `ann+${n}@example.com`, password: 'a trap for you' };
    await testApp.browser().post('/api/auth/sign-up', credentials);
    await requestLink(testApp, 'forgot-password', credentials.email);
    await requestLink(testApp, 'resend-confirmation', credentials.email);
  }
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent).toHaveLength(8 + 8);

  await expectLinks(testApp);
});

test('limits the password resets of an account to eight a day', async () => {
  await using testApp = await makeTestApp();
  await makeAccounts(testApp);
  for (let n = 0; n < 10; n += 1) {
    await requestLink(testApp, 'forgot-password', 'ann@example.com');
    testApp.clock.move(15 * minute);
  }
  await testApp.deps.outbox.drain();
  expect(kindsTo(testApp, 'ann@example.com')).toHaveLength(8);
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
