import { day, hour, minute } from '@app/contract/durations';
import { requestedEmails } from '@app/db/schema/email';
import { expect, test } from 'vitest';
import { findDeadLink } from '../accounts/sign-in/confirmation.ts';
import { randomFrom } from '../testing/random-from.ts';
import { makeTestApp, signedInBrowser, type TestApp, tokenEmailedTo } from '../testing/test-app.ts';
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

/** Six requested by visitors, and two by users. */
const perDay = 8;

test('limits a mailbox to eight emails a day, whoever requests which kind', async () => {
  await using testApp = await makeTestApp();

  const statuses = await flood(testApp, spellings);
  testApp.clock.move(minute);
  statuses.push(...(await flood(testApp, spellings)));

  expect(emailsTo(testApp)).toBe(perDay);
  // Users are told that there is a limit. The replies to visitors reveal nothing.
  expect(statuses.filter((status) => status !== 429)).toHaveLength(2 * 5 * spellings.length + 2);
  expect(new Set(statuses)).toEqual(new Set([201, 202, 429]));

  testApp.clock.move(day);
  await flood(testApp, spellings);
  testApp.clock.move(minute);
  await flood(testApp, spellings);
  expect(emailsTo(testApp)).toBe(2 * perDay);
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

const signUp = (email: string) => ['/api/auth/sign-up', { email, password: 'a trap' }] as const;

test.each([
  [
    'newsletters and receipts',
    (email: string) => [
      ['/api/newsletter', { email }] as const,
      ['/api/contact', { name: 'Vera', email, message: `Hello from ${email}` }] as const,
    ],
  ],
  [
    'sign-ups',
    (email: string) => [signUp(email), ['/api/auth/resend-confirmation', { email }] as const],
  ],
  [
    'password resets for accounts of strangers',
    (email: string) => [signUp(email), ['/api/auth/forgot-password', { email }] as const],
  ],
])('%s do not block a password reset or a confirmation', async (_, requestsFor) => {
  await using testApp = await makeTestApp();
  await makeAccounts(testApp);
  for (let n = 0; n < 10; n += 1) {
    for (const name of ['ann', 'bob']) {
      for (const [path, body] of requestsFor(`${name}+${n}@example.com`)) {
        expect((await testApp.browser().post(path, body)).status).toBeLessThan(300);
      }
    }
  }
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.filter(({ to }) => to.includes('+'))).toHaveLength(2 * 4);

  await expectLinks(testApp);
});

test('a reset for an account whose address has a tag is not blocked by other addresses', async () => {
  await using testApp = await makeTestApp();
  await signedInBrowser(testApp, 'ann+site@gmail.com');
  testApp.clock.move(day);
  await flood(testApp, spellings);
  await requestLink(testApp, 'forgot-password', 'ann+site@gmail.com');
  await testApp.deps.outbox.drain();
  expect(testApp.emails.sent.at(-1)).toMatchObject({
    kind: 'password-reset',
    to: 'ann+site@gmail.com',
  });
});

const tagged = (name: string, domain: string): string[] =>
  Array.from({ length: 10 }, (_, n) => `${name}+${n}@${domain}`);
const dotted = ['an.n', 'a.nn', 'a.n.n'].map((name) => `${name}@gmail.com`);

test.each([
  ['ann@example.com', 'tags', tagged('ann', 'example.com')],
  ['ann@gmail.com', 'tags and dots', [...dotted, ...tagged('an.n', 'googlemail.com')]],
  ['ann.lee@gmail.com', 'tags', tagged('annlee', 'gmail.com')],
])(
  'whoever signs up with %s gets a link, however strangers spell it with %s',
  async (email, _, others) => {
    await using testApp = await makeTestApp();
    const signUp = (address: string, password: string) =>
      testApp.browser().post('/api/auth/sign-up', { email: address, password });
    for (const address of others) await signUp(address, 'a trap for you');
    await testApp.deps.outbox.drain();
    testApp.emails.sent.length = 0;

    await signUp(email, 'correct horse');
    await testApp.deps.outbox.drain();

    expect(testApp.emails.sent).toMatchObject([{ kind: 'confirmation', to: email }]);
    const token = tokenEmailedTo(testApp, email);
    const confirmed = await testApp.browser().post('/api/auth/confirm', { token });
    expect(await confirmed.json()).toMatchObject({ user: { email } });
  },
);

test('a link to an address without a tag works, whatever visitors request and when', async () => {
  const email = 'ann@example.com';
  const random = randomFrom(1);
  const pick = <T>(items: readonly [T, ...T[]]): T =>
    items[Math.floor(random() * items.length)] ?? items[0];
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  deps.passwords.hash = async (text) => `hash of ${text}`;
  const links = () =>
    testApp.emails.sent.flatMap(({ to, kind, text }) => {
      const token = to === email && kind === 'confirmation' && /token=([\w-]+)/.exec(text)?.[1];
      return token ? [token] : [];
    });

  for (let n = 0; n < 300; n += 1) {
    const address = pick([email, email, `ann+${n}@example.com`]);
    const [path, fields] = pick<readonly [string, object]>([
      ['/api/auth/sign-up', { password: `a trap for you ${n}` }],
      ['/api/auth/forgot-password', {}],
      ['/api/auth/resend-confirmation', {}],
      ['/api/newsletter', {}],
      ['/api/contact', { name: 'Vera', message: `Hello ${n}` }],
    ]);
    const { status } = await testApp.browser().post(path, { email: address, ...fields });
    expect([201, 202, 429]).toContain(status);
    testApp.clock.move(pick([minute, 10 * minute, 2 * hour]));
    if (n % 10 === 9) {
      await testApp.browser().post('/api/auth/sign-up', { email, password: 'correct horse' });
      await deps.outbox.drain();
      expect(links().some((token) => findDeadLink(deps, token) === null)).toBe(true);
    }
  }
});

test('limits the password resets of an account to six a day', async () => {
  await using testApp = await makeTestApp();
  await makeAccounts(testApp);
  for (let n = 0; n < 10; n += 1) {
    await requestLink(testApp, 'forgot-password', 'ann@example.com');
    testApp.clock.move(15 * minute);
  }
  await testApp.deps.outbox.drain();
  expect(kindsTo(testApp, 'ann@example.com')).toHaveLength(6);
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
