import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { type TestApp, tokenEmailedTo } from './test-app.ts';

export const email = 'vera@example.com';

export const subscribe = (testApp: TestApp, address: unknown) =>
  testApp.browser().post('/api/newsletter', { email: address });

export const subscriptions = ({ deps }: TestApp) => deps.db.select().from(newsletterSubscriptions);

/** Subscribes, and returns the emailed token. */
export async function askToSubscribe(testApp: TestApp, address = email): Promise<string> {
  await subscribe(testApp, address);
  await testApp.deps.outbox.drain();
  return tokenEmailedTo(testApp, address);
}

export const confirmSubscription = (testApp: TestApp, token: string) =>
  testApp.browser().post('/api/newsletter/confirm', { token });

export async function joinNewsletter(testApp: TestApp, address = email): Promise<void> {
  const token = await askToSubscribe(testApp, address);
  const response = await confirmSubscription(testApp, token);
  if (response.status !== 200) throw new Error(`confirming answered ${response.status}`);
  await testApp.deps.outbox.drain();
}

export async function kindsOfEmail(testApp: TestApp): Promise<string[]> {
  await testApp.deps.outbox.drain();
  return testApp.emails.sent.map(({ kind }) => kind);
}
