import { accountMessages } from '@app/contract/accounts/messages';
import { profiles, users } from '@app/db/schema/accounts';
import { company } from '@app/site/company';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ann, signInWithGoogle, startWithGoogle } from '../../testing/google.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';

const bossEmail = 'boss@example.com';

async function addBoss(testApp: TestApp) {
  const { db } = testApp.deps;
  const boss = await signedInBrowser(testApp, bossEmail);
  await boss.send('PATCH', '/api/profile', { fullName: 'Jane Boss', username: 'jane.b' });
  db.update(users).set({ role: 'staff' }).where(eq(users.email, bossEmail)).run();
  return boss;
}

test('rejects names of the company and its staff in any spelling', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  await addBoss(testApp);
  const member = await signedInBrowser(testApp, 'ann@example.com');
  const before = allRows(testApp.deps.db)['profiles'];
  const names = [
    company.name,
    company.name.toUpperCase(),
    `The ${company.name} Team`,
    company.domain,
    'Jane Boss',
    'JANE  BOSS',
    'J\u0430ne B\u043Ess',
    'Jane-Boss',
    'Jane\u3164Boss',
    'Ja\u115fne \u{e0100}Boss\u2800',
    `${company.name.replaceAll(' ', '\u3164')}`,
    `\u2800${company.name.replaceAll(' ', '\ufe0f')}\u115f`,
    'jane b',
  ];
  for (const fullName of names) {
    const response = await member.send('PATCH', '/api/profile', { fullName });
    expect([fullName, response.status]).toEqual([fullName, 422]);
    expect(await response.json()).toMatchObject({
      issues: [{ path: 'fullName', message: accountMessages.profile.nameReserved }],
    });
  }
  const response = await member.send('PATCH', '/api/profile', { username: 'jane.boss' });
  expect(await response.json()).toMatchObject({
    issues: [{ path: 'username', message: accountMessages.profile.nameReserved }],
  });
  expect(allRows(testApp.deps.db)['profiles']).toEqual(before);
});

test('accepts names that share a word, and the staff’s own names', async () => {
  await using testApp = await makeTestApp();
  const boss = await addBoss(testApp);
  const member = await signedInBrowser(testApp, 'ann@example.com');
  for (const fullName of ['Jane Miller', 'Bob Boss', 'Ann Fields']) {
    expect((await member.send('PATCH', '/api/profile', { fullName })).status).toBe(200);
  }
  for (const fullName of ['Jane Boss', `Jane of ${company.name}`]) {
    expect((await boss.send('PATCH', '/api/profile', { fullName })).status).toBe(200);
  }
});

test('does not take a forbidden name from Google', async () => {
  const { testApp, provider } = await startWithGoogle();
  provider.person = { ...ann, name: `${company.name} Support` };

  expect(await signInWithGoogle(testApp.browser(), provider)).toBe('/blog');

  expect(await testApp.deps.db.select().from(profiles)).toMatchObject([{ fullName: null }]);
});
