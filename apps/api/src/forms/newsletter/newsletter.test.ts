import { day } from '@app/contract/durations';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { expect, test } from 'vitest';
import { makeTestApp, type TestApp, tokenEmailedTo } from '../../testing/test-app.ts';
import {
  confirmSubscription,
  deleteUnconfirmedSubscriptions,
  subscribe,
  unsubscribe,
} from './newsletter.ts';

async function addressesAfter(testApp: TestApp, milliseconds: number): Promise<string[]> {
  testApp.clock.move(milliseconds);
  await deleteUnconfirmedSubscriptions(testApp.deps);
  const rows = await testApp.deps.db.select().from(newsletterSubscriptions);
  return rows.map(({ email }) => email).sort();
}

test('deletes an unconfirmed address 30 days after the last email', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  const [once, twice, stays, left] = ['once', 'twice', 'stays', 'left'].map(
    (name) => `${name}@example.com`,
  ) as [string, string, string, string];
  for (const email of [once, twice, stays, left]) await subscribe(deps, { email });
  await deps.outbox.drain();
  for (const email of [stays, left]) {
    await confirmSubscription(deps, tokenEmailedTo(testApp, email));
  }
  await deps.outbox.drain();
  expect(await unsubscribe(deps, tokenEmailedTo(testApp, left))).toBe(true);

  testApp.clock.move(10 * day);
  await subscribe(deps, { email: twice });
  expect(await addressesAfter(testApp, 20 * day)).toEqual([left, once, stays, twice]);
  expect(await addressesAfter(testApp, 1)).toEqual([left, stays, twice]);
  expect(await addressesAfter(testApp, 10 * day - 1)).toEqual([left, stays, twice]);
  expect(await addressesAfter(testApp, 1)).toEqual([left, stays]);
  expect(await addressesAfter(testApp, 365 * day)).toEqual([left, stays]);
});
