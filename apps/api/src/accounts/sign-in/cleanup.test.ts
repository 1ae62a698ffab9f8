import { day } from '@app/contract/durations';
import { accountDeletions, emailTokens, profiles, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  tokenEmailedTo,
} from '../../testing/test-app.ts';
import { deleteUnconfirmedAccounts } from './cleanup.ts';

const password = 'correct horse';

async function cleanUpAfter(testApp: TestApp, milliseconds: number): Promise<void> {
  testApp.clock.move(milliseconds);
  await deleteUnconfirmedAccounts(testApp.deps);
}

const addresses = async ({ deps }: TestApp): Promise<string[]> =>
  (await deps.db.select().from(users)).map(({ email }) => email).sort();

test('deletes an unconfirmed account 30 days after its last link', async () => {
  await using testApp = await makeTestApp();
  const signUp = (email: string) =>
    testApp.browser().post('/api/auth/sign-up', { email, password });
  const [once, twice, stays] = ['once@example.com', 'twice@example.com', 'stays@example.com'];
  await signedInBrowser(testApp, stays);
  await signUp(once);
  await signUp(twice);

  await cleanUpAfter(testApp, 29 * day);
  await testApp.browser().post('/api/auth/resend-confirmation', { email: twice });
  await cleanUpAfter(testApp, day - 1);
  expect(await addresses(testApp)).toEqual([once, stays, twice]);
  await cleanUpAfter(testApp, 1);
  expect(await addresses(testApp)).toEqual([stays, twice]);

  // The last link works.
  await testApp.deps.outbox.drain();
  const token = tokenEmailedTo(testApp, twice);
  testApp.clock.set(-day);
  expect((await testApp.browser().post('/api/auth/confirm', { token })).status).toBe(200);
  await cleanUpAfter(testApp, 365 * day);
  expect(await addresses(testApp)).toEqual([stays, twice]);
  expect(await testApp.deps.db.select().from(profiles)).toHaveLength(2);
  expect(await testApp.deps.db.select().from(emailTokens)).toEqual([]);
});

test('leaves an account that is being deleted to its own cleanup', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  await signedInBrowser(testApp, 'ann@example.com');
  const [user] = await db.select().from(users);
  const userId = user?.id ?? '';
  await db.insert(accountDeletions).values({ userId, posts: 'keep' });
  await db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, userId));

  await cleanUpAfter(testApp, 31 * day);

  expect(await db.select().from(users)).toHaveLength(1);
});
