import { hour } from '@app/contract/durations';
import { users } from '@app/db/schema/accounts';
import { sharedConnectionOf } from '@app/db/testing/shared-connection';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { countCommits } from '../../testing/commits.ts';
import { emailEndpoints } from '../../testing/email-endpoints.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  tokenEmailedTo,
} from '../../testing/test-app.ts';

const email = 'ann@example.com';
const password = 'correct horse';

/** Addresses of a confirmed, an unconfirmed, a Google-only and no account. */
async function makeKinds(testApp: TestApp): Promise<string[]> {
  const kinds = [email, 'waiting@example.com', 'google@example.com', 'nobody@example.com'];
  await signedInBrowser(testApp, email);
  await signedInBrowser(testApp, 'google@example.com');
  await testApp.browser().post('/api/auth/sign-up', { email: 'waiting@example.com', password });
  await testApp.deps.db
    .update(users)
    .set({ passwordHash: null })
    .where(eq(users.email, 'google@example.com'));
  await testApp.deps.outbox.drain();
  // Earlier requests count for an hour.
  testApp.clock.move(hour);
  return kinds;
}

test.each(emailEndpoints)(
  '%s replies the same for every address, within and beyond the limit',
  async (endpoint, fields) => {
    await using testApp = await makeTestApp();
    const kinds = await makeKinds(testApp);
    testApp.deps.passwords.hash = async () => 'no hash';
    testApp.deps.passwords.verify = async () => null;
    /** The reply without the parts that always differ. */
    const answerTo = async (address: string, form: boolean) => {
      const body = { email: address, ...fields };
      const browser = testApp.browser();
      const response = form
        ? await browser.submit(`/api/auth/${endpoint}`, body)
        : await browser.post(`/api/auth/${endpoint}`, body);
      const text = (await response.text()).replace(response.headers.get('X-Request-Id') ?? '', '');
      const headers = [...response.headers]
        .filter(([name]) => name !== 'x-request-id')
        .map(withoutTyped);
      return { status: response.status, headers, text };
    };

    for (let round = 0; round < 6; round += 1) {
      for (const form of [false, true]) {
        const answers: Awaited<ReturnType<typeof answerTo>>[] = [];
        for (const address of kinds) answers.push(await answerTo(address, form));
        expect(answers).toEqual(kinds.map(() => answers[0]));
      }
    }
  },
);

/** The page that shows a rejected form has the address that was typed. */
const withoutTyped = ([name, value]: [string, string]): [string, string] => [
  name,
  value.replace(/\bentered=[^&#]+/, 'entered=typed'),
];

test.each(emailEndpoints)('%s does the same work for every address', async (endpoint, fields) => {
  await using testApp = await makeTestApp();
  const { passwords, outbox } = testApp.deps;
  const kinds = await makeKinds(testApp);
  const hash = vi.spyOn(passwords, 'hash');
  const verify = vi.spyOn(passwords, 'verify');
  // Emails are sent after the reply.
  vi.spyOn(outbox, 'wake').mockImplementation(() => undefined);

  const work: unknown[] = [];
  // The last requests are over the limit of emails.
  for (let round = 0; round < 10; round += 1) {
    for (const address of kinds) {
      vi.clearAllMocks();
      const commits = countCommits(testApp);
      await testApp.browser().post(`/api/auth/${endpoint}`, { email: address, ...fields });
      work.push({
        commits: commits(),
        hashes: hash.mock.calls.length,
        comparisons: verify.mock.calls.length,
      });
    }
    testApp.clock.move(15 * 60 * 1_000);
  }
  expect(work).toEqual(work.map(() => work[0]));
  const isShared = sharedConnectionOf(testApp.deps.db) !== undefined;
  expect(work[0]).toEqual(
    {
      // One commit counts the request, the other does the work.
      'sign-up': { commits: 1 + 1, hashes: 1, comparisons: 0 },
      // With a database server, reads may count, too.
      'sign-in': { commits: isShared ? expect.any(Number) : 1, hashes: 0, comparisons: 1 },
      'resend-confirmation': { commits: 1 + 1, hashes: 0, comparisons: 0 },
      'forgot-password': { commits: 1 + 1, hashes: 0, comparisons: 0 },
    }[endpoint],
  );
});

test.each(emailEndpoints)(
  '/api/health does not reveal whether %s queued an email',
  async (endpoint, fields) => {
    await using testApp = await makeTestApp({ publishes: true });
    const kinds = await makeKinds(testApp);
    // The emails stay queued.
    vi.spyOn(testApp.deps.outbox, 'wake').mockImplementation(() => undefined);
    const healthReply = async () => (await testApp.browser().get('/api/health')).json();
    const before = await healthReply();
    for (const address of kinds) {
      await testApp.browser().post(`/api/auth/${endpoint}`, { email: address, ...fields });
      expect(await healthReply()).toEqual(before);
    }
  },
);

test.each(['the same browser', 'another browser'])(
  'a sign-in after a sign-up reveals nothing about the address, in %s',
  async (where) => {
    await using testApp = await makeTestApp();
    const kinds = await makeKinds(testApp);
    testApp.deps.passwords.hash = async (text) => `hash of ${text}`;
    testApp.deps.passwords.verify = async (stored, text) =>
      stored.find((hash) => hash === `hash of ${text}`) ?? null;
    const trap = 'a trap for you';
    const reply = async (response: Response) => {
      const text = (await response.text()).replace(response.headers.get('X-Request-Id') ?? '', '');
      const headers = [...response.headers]
        .filter(([name]) => name !== 'x-request-id')
        .map(withoutTyped);
      return { status: response.status, headers, text };
    };
    /** Replies until the account is locked. */
    const seenOf = async (address: string) => {
      const credentials = { email: address, password: trap };
      const browser = testApp.browser();
      const replies = [await reply(await browser.post('/api/auth/sign-up', credentials))];
      const other = where === 'the same browser' ? browser : testApp.browser();
      for (let n = 0; n < 12; n += 1) {
        replies.push(await reply(await other.post('/api/auth/sign-in', credentials)));
        replies.push(await reply(await other.submit('/api/auth/sign-in', credentials)));
      }
      return replies;
    };

    const seen: Awaited<ReturnType<typeof seenOf>>[] = [];
    for (const address of kinds) seen.push(await seenOf(address));

    expect(seen).toEqual(kinds.map(() => seen[0]));
    expect(seen[0]?.[1]?.status).toBe(403);
    expect(seen[0]?.at(-2)?.status).toBe(429);
  },
);

test('what the owner does in the account is not visible to a stranger who signed up with its address', async () => {
  await using testApp = await makeTestApp();
  const owner = await signedInBrowser(testApp, email);
  const trap = { password: 'a trap for you' };
  const statuses = async () => {
    const browser = testApp.browser();
    const of = async (address: string) =>
      (await browser.post('/api/auth/sign-in', { email: address, ...trap })).status;
    return [await of(email), await of('nobody@example.com')];
  };
  for (const address of [email, 'nobody@example.com']) {
    await testApp.browser().post('/api/auth/sign-up', { email: address, ...trap });
  }
  expect(await statuses()).toEqual([403, 403]);

  await owner.send('PUT', '/api/auth/password', { password: 'battery staple' });
  await owner.post('/api/auth/sign-out', {});
  expect(await statuses()).toEqual([403, 403]);
  expect((await owner.post('/api/auth/sign-in', { email, password })).status).toBe(401);
  const changed = { email, password: 'battery staple' };
  expect((await owner.post('/api/auth/sign-in', changed)).status).toBe(200);
  expect(await statuses()).toEqual([403, 403]);

  await owner.post('/api/auth/forgot-password', { email });
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, email);
  await owner.post('/api/auth/reset-password', { token, password: 'staple battery' });
  expect(await statuses()).toEqual([403, 403]);
});

test('confirming an address is not visible to a stranger who signed up with it', async () => {
  await using testApp = await makeTestApp();
  const trap = { email, password: 'a trap for you' };
  const trapStatus = async () => (await testApp.browser().post('/api/auth/sign-in', trap)).status;
  await testApp.browser().post('/api/auth/sign-up', trap);
  const owner = testApp.browser();
  await owner.post('/api/auth/sign-up', { email, password });
  await testApp.deps.outbox.drain();
  const reply = await owner.post('/api/auth/confirm', { token: tokenEmailedTo(testApp, email) });
  const { resetToken: token } = (await reply.json()) as { resetToken: string };
  expect(await trapStatus()).toBe(403);
  await owner.post('/api/auth/reset-password', { token, password });
  expect((await testApp.browser().post('/api/auth/sign-in', { email, password })).status).toBe(200);
  expect(await trapStatus()).toBe(403);
});

test('beyond the email budget, sign-ups are stored for all addresses alike', async () => {
  await using testApp = await makeTestApp();
  const kinds = await makeKinds(testApp);
  for (let n = 0; n < 9; n += 1) {
    for (const address of kinds) {
      const credentials = { email: address, password: `a trap for you ${n}` };
      await testApp.browser().post('/api/auth/sign-up', credentials);
      const reply = await testApp.browser().post('/api/auth/sign-in', credentials);
      expect([address, n, reply.status]).toEqual([address, n, 403]);
    }
  }
});
