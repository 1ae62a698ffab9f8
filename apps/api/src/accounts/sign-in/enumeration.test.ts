import { hour } from '@app/contract/durations';
import { users } from '@app/db/schema/accounts';
import { sharedConnectionOf } from '@app/db/testing/shared-connection';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { countCommits } from '../../testing/commits.ts';
import { emailEndpoints } from '../../testing/email-endpoints.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';

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
    testApp.deps.passwords.verify = async () => false;
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
        .map(withoutSignature);
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

const withoutSignature = ([name, value]: [string, string]): [string, string] => [
  name,
  value.replace(/^(sign-up=\d+\.)[\w-]{43}\.[\w-]{43}\.[\w-]{43}/, '$1signatures'),
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
    testApp.deps.passwords.verify = async (stored, text) => stored === `hash of ${text}`;
    const trap = 'a trap for you';
    const reply = async (response: Response) => {
      const text = (await response.text()).replace(response.headers.get('X-Request-Id') ?? '', '');
      const headers = [...response.headers]
        .filter(([name]) => name !== 'x-request-id')
        .map(withoutSignature);
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
    expect(seen[0]?.[0]?.headers).toContainEqual([
      'set-cookie',
      expect.stringMatching(
        /^sign-up=\d+\.signatures; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(seen[0]?.[1]?.status).toBe(where === 'the same browser' ? 403 : 401);
    expect(seen[0]?.at(-2)?.status).toBe(429);
  },
);
