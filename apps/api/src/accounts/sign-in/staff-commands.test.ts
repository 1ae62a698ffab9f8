import { users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cliJson, runCli } from '../../testing/cli.ts';
import { pathsLoggedBy } from '../../testing/logged-paths.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';

const cli = (testApp: TestApp, line: string) => runCli(testApp, ...line.split(' '));

const draft = { title: 'A draft', content: 'Text' };

test('the role takes effect immediately in open sessions', async () => {
  await using testApp = await makeTestApp({ settings: { authoring: 'team' } });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const writes = async () => (await ann.post('/api/posts', draft)).status;
  expect(await writes()).toBe(403);

  expect(await cli(testApp, 'staff add Ann@Example.com')).toEqual({
    exitCode: 0,
    out: 'ann@example.com now has the staff role.\n',
    err: '',
  });
  expect(await writes()).toBe(201);
  expect((await bob.post('/api/posts', draft)).status).toBe(403);
  expect(await (await ann.get('/api/auth/session')).json()).toMatchObject({
    user: { mayWrite: true, isStaff: true },
  });

  expect(await cli(testApp, 'staff remove ann@example.com')).toEqual({
    exitCode: 0,
    out: 'ann@example.com no longer has the staff role.\n',
    err: '',
  });
  expect(await writes()).toBe(403);
});

test('lists staff, and repeating a command changes nothing', async () => {
  await using testApp = await makeTestApp();
  for (const email of ['bob@example.com', 'ann@example.com', 'cleo@example.com']) {
    await signedInBrowser(testApp, email);
  }
  expect((await cli(testApp, 'staff list')).out).toBe('No account has the staff role.\n');
  await cli(testApp, 'staff add bob@example.com');
  await cli(testApp, 'staff add ann@example.com');
  expect(await cli(testApp, 'staff list')).toEqual({
    exitCode: 0,
    out: [
      'EMAIL            SIGNED UP (UTC)',
      'ann@example.com  2026-03-01 12:00',
      'bob@example.com  2026-03-01 12:00',
      '',
    ].join('\n'),
    err: '',
  });
  expect(await cliJson(testApp, 'staff', 'list')).toEqual({
    staff: ['ann@example.com', 'bob@example.com'].map((email) => ({
      email,
      signedUpAt: '2026-03-01T12:00:00.000Z',
    })),
  });
  expect(await cliJson(testApp, 'staff', 'add', 'Ann@Example.com')).toEqual({
    email: 'ann@example.com',
    isChanged: false,
  });
  expect((await cli(testApp, 'staff add ann@example.com')).out).toBe(
    'ann@example.com already has the staff role.\n',
  );
  expect((await cli(testApp, 'staff remove cleo@example.com')).out).toBe(
    'cleo@example.com does not have the staff role.\n',
  );
});

test.each([
  ['staff add nobody@example.com', 'No account has the email nobody@example.com: check'],
  ['staff remove nobody@example.com', 'No account has the email nobody@example.com: check'],
  ['staff add vera@example.com', 'The email vera@example.com is not confirmed yet: ask its'],
])('"%s" fails and says what to do', async (line, reason) => {
  await using testApp = await makeTestApp();
  const sent = { email: 'vera@example.com', password: 'correct horse' };
  await testApp.browser().post('/api/auth/sign-up', sent);
  const { exitCode, out, err } = await cli(testApp, line);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(err).toContain(reason);
  const staff = await testApp.deps.db.select().from(users).where(eq(users.role, 'staff'));
  expect(staff).toEqual([]);
});

test('a role change updates the pages of its user, whose byline can be the company’s', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const ann = await signedInBrowser(testApp);
  await ann.post('/api/posts', { ...draft, published: true });
  for (const change of ['add', 'remove']) {
    const paths = await pathsLoggedBy(db, () => cli(testApp, `staff ${change} ann@example.com`));
    expect(paths).toEqual(expect.arrayContaining(['/blog/a-draft', '/blog']));
  }
});
