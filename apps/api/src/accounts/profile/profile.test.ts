import { accountMessages } from '@app/contract/accounts/messages';
import type { Profile } from '@app/contract/accounts/profile';
import type { Author, PostSaved } from '@app/contract/blog/posts';
import { messages } from '@app/contract/messages';
import type { PageData } from '@app/contract/pages';
import type { Problem } from '@app/contract/problems';
import { profiles, users } from '@app/db/schema/accounts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';

const read = async (browser: TestBrowser): Promise<Profile> =>
  (await (await browser.get('/api/profile')).json()) as Profile;

const patch = (browser: TestBrowser, change: object): Promise<Response> =>
  browser.send('PATCH', '/api/profile', change);

const issues = async (response: Response) => ((await response.json()) as Problem).issues;

test('starts empty and accepts partial changes', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com', null);
  const empty = await read(ann);
  expect(empty).toEqual({
    id: expect.any(String),
    email: 'ann@example.com',
    username: null,
    fullName: null,
    avatarUrl: null,
  });

  const named = await patch(ann, { fullName: '  Ann\n Author ' });
  expect(named.status).toBe(200);
  expect(await named.json()).toEqual({ ...empty, fullName: 'Ann Author' });

  await patch(ann, { username: 'ann.author' });
  expect(await read(ann)).toEqual({ ...empty, username: 'ann.author', fullName: 'Ann Author' });

  await patch(ann, { fullName: '' });
  expect(await read(ann)).toEqual({ ...empty, username: 'ann.author' });
  const session = (await (await ann.get('/api/auth/session')).json()) as { user: object };
  expect(session.user).toMatchObject({ username: 'ann.author', fullName: null });
});

describe('rejects', () => {
  let testApp: TestApp;
  let ann: TestBrowser;
  beforeAll(async () => {
    testApp = await makeTestApp();
    ann = await signedInBrowser(testApp);
  });
  afterAll(() => testApp[Symbol.asyncDispose]());

  test.each([
    [{ username: 'ab' }, 'username', accountMessages.profile.usernameTooShort],
    [{ username: '' }, 'username', accountMessages.profile.usernameTooShort],
    [{ username: 'a b c' }, 'username', accountMessages.profile.usernameShape],
    [{ username: '-ann' }, 'username', accountMessages.profile.usernameShape],
    [{ username: 'ann..b' }, 'username', accountMessages.profile.usernameShape],
    [{ username: 'ann@b' }, 'username', accountMessages.profile.usernameShape],
    [{ username: 'a\u200Bn' }, 'username', accountMessages.profile.usernameTooShort],
    [{ username: '\u3164\u3164\u3164' }, 'username', accountMessages.profile.usernameTooShort],
    [{ username: '葛\u{e0100}城ケン' }, 'username', accountMessages.profile.usernameShape],
    [
      { username: `ann${'\u0308\u0323\u0302'.repeat(3)}` },
      'username',
      accountMessages.profile.usernameShape,
    ],
    [{ username: 'a'.repeat(31) }, 'username', messages.field.tooLong(30)],
    [{ username: 'Admin' }, 'username', accountMessages.profile.usernameReserved],
    [{ username: 'rооt' }, 'username', accountMessages.profile.usernameReserved],
    [{ username: 'annа' }, 'username', accountMessages.profile.usernameMixed],
    [{ fullName: 'A' }, 'fullName', accountMessages.profile.fullNameTooShort],
    [{ fullName: 'A'.repeat(101) }, 'fullName', messages.field.tooLong(100)],
    [{}, '', messages.field.nothingToChange],
  ])('%j', async (change, path, message) => {
    const before = allRows(testApp.deps.db);
    const response = await patch(ann, change);
    expect(response.status).toBe(422);
    expect(await issues(response)).toEqual([{ path, message }]);
    expect(allRows(testApp.deps.db)).toEqual(before);
  });
});

test('removes line breaks and direction marks from a full name', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  await patch(ann, { fullName: 'Ann\r\nBcc: vera@example.com\u202E\u0000 Author' });
  expect((await read(ann)).fullName).toBe('Ann Bcc: vera@example.com Author');
});

test('changes only the user’s own profile', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com', null);
  const bob = await signedInBrowser(testApp, 'bob@example.com', null);
  const { id } = await read(bob);
  for (const field of ['id', 'userId', 'email', 'avatarUrl', 'usernameKey']) {
    const response = await patch(ann, { fullName: 'Mallory', [field]: id });
    expect(await issues(response)).toEqual([{ path: field, message: messages.field.unknown }]);
  }
  await patch(ann, { fullName: 'Mallory' });
  expect(await read(bob)).toMatchObject({ id, fullName: null });
});

test('rejects a taken or lookalike username at its field', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await patch(ann, { username: 'Lola' });
  for (const username of ['lola', 'LOLA', 'ｌｏｌａ', 'lo1a', 'IoIa', 'l0la']) {
    const response = await patch(bob, { username });
    expect([username, response.status]).toEqual([username, 409]);
    expect(await response.json()).toMatchObject({
      code: 'username_taken',
      detail: accountMessages.profile.usernameTaken,
      issues: [{ path: 'username', message: accountMessages.profile.usernameTaken }],
    });
  }
  expect((await read(bob)).username).toBeNull();
  // Another spelling of one's own name is available, and so is an abandoned name.
  expect((await patch(ann, { username: 'LOLA' })).status).toBe(200);
  expect((await patch(ann, { username: 'Lotte' })).status).toBe(200);
  expect((await patch(bob, { username: 'lola' })).status).toBe(200);
});

test('limits changes per user', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  for (let i = 0; i < 60; i += 1) {
    expect((await patch(ann, { fullName: `Ann ${i}` })).status).toBe(200);
  }
  const refused = await patch(ann, { fullName: 'Ann Author' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_000);
  expect((await read(ann)).fullName).toBe('Ann 59');
  expect((await patch(bob, { fullName: 'Bob' })).status).toBe(200);
});

test('of fifty concurrent requests for a username, one gets it', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { deps } = testApp;
  const spellings = ['winner', 'Winner', 'WINNER', 'w1nner', 'wInner'];
  const browsers: TestBrowser[] = [];
  for (let i = 0; i < 50; i += 1) {
    const id = `person-${i}`;
    await deps.db.insert(users).values({ id, email: `${id}@example.com`, createdAt: 0 });
    const sessionId = (await deps.sessions.start({ userId: id }, { device: '' }))?.sessionId ?? '';
    const browser = testApp.browser();
    browser.cookies.set(deps.sessions.cookieName, sessionId);
    browsers.push(browser);
  }
  const statuses = await Promise.all(
    browsers.map(async (browser, i) => {
      const username = spellings[i % spellings.length];
      return (await patch(browser, { username })).status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  const rows = await deps.db.select().from(profiles);
  expect(rows).toHaveLength(1);
});

test('redirects a form without JavaScript to the page with the result', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, 'ann@example.com', null);
  const bob = await signedInBrowser(testApp, 'bob@example.com', null);
  const submit = async (browser: TestBrowser, fields: Record<string, string>) => {
    const response = await browser.submit('/api/profile', fields);
    return [response.status, response.headers.get('Location')];
  };
  const saved = await submit(ann, { username: 'ann', fullName: '' });
  expect(saved).toEqual([303, '/profile#profile-updated']);
  expect(await read(ann)).toMatchObject({ username: 'ann', fullName: null });
  expect(await submit(ann, { username: 'an', fullName: '' })).toEqual([
    303,
    '/profile?username=an&fullName=#invalid',
  ]);
  expect(await submit(ann, { username: 'admin', fullName: '' })).toEqual([
    303,
    '/profile?username=admin&fullName=#invalid',
  ]);
  const taken = await submit(bob, { username: 'Ann', fullName: 'Bob' });
  expect(taken).toEqual([303, '/profile?username=Ann&fullName=Bob#username-taken']);
  expect(await read(bob)).toMatchObject({ username: null, fullName: null });
});

test('creates a missing profile on save', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id } = await read(ann);
  await testApp.deps.db.delete(profiles).where(eq(profiles.id, id));

  const missing = await ann.get('/api/profile');
  expect(missing.status).toBe(404);
  expect(((await missing.json()) as Problem).detail).toBe('No profile data available');
  expect(await pageOf(await ann.get('/profile'))).toMatchObject({ profile: null });

  expect((await patch(ann, { username: 'ann' })).status).toBe(200);
  expect(await read(ann)).toMatchObject({ id, username: 'ann' });
});

const pageOf = async (response: Response): Promise<PageData> =>
  JSON.parse(/<pre>(.*)<\/pre>/s.exec(await response.text())?.[1] ?? '') as PageData;

test('renders the page with the profile, and redirects visitors to sign in', async () => {
  await using testApp = await makeTestApp();
  const visitor = await testApp.browser().get('/profile');
  expect([visitor.status, visitor.headers.get('Location')]).toEqual([303, '/auth?next=%2Fprofile']);
  expect((await testApp.browser().get('/api/profile')).status).toBe(401);

  const ann = await signedInBrowser(testApp);
  await patch(ann, { username: 'ann' });
  const response = await ann.get('/profile');
  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
  const page = await pageOf(response);
  expect(page).toEqual({
    kind: 'profile',
    email: 'ann@example.com',
    profile: await read(ann),
    devices: [
      {
        id: expect.any(String),
        name: '',
        signedInAt: '2026-03-01T12:00:00.000Z',
        lastSeenAt: '2026-03-01T12:00:00.000Z',
        isCurrent: true,
      },
    ],
    methods: { password: true, google: false },
    entered: {},
    isRecent: true,
  });

  testApp.clock.move(11 * 60_000);
  expect(await pageOf(await ann.get('/profile'))).toMatchObject({ isRecent: false });
});

test('shows the entries of a rejected form without JavaScript again', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  const entered = async (fields: Record<string, string>) => {
    const rejected = await ann.submit('/api/profile', fields);
    const page = (rejected.headers.get('Location') ?? '').replace('#invalid', '');
    return ((await pageOf(await ann.get(page))) as { entered?: object }).entered;
  };
  const fields = { username: "ann's + page", fullName: "Ann O'Hara & Söhne" };
  expect(await entered(fields)).toEqual(fields);
  expect(await entered({ username: '', fullName: '' })).toEqual({ username: '', fullName: '' });
  // Too long for a URL.
  expect(await entered({ username: 'x'.repeat(301), fullName: 'A' })).toEqual({ fullName: 'A' });
  const crafted = await ann.get('/profile?id=1&password=secret&email=a%40b.example');
  expect(await pageOf(crafted)).toMatchObject({ entered: { email: 'a@b.example' } });
});

test('publishes only the author’s name and avatar', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp);
  await patch(ann, { username: 'ann', fullName: 'Ann Author' });
  const created = await ann.post('/api/posts', { title: 'Title', content: 'Text' });
  const { authorId } = ((await created.json()) as PostSaved).post;

  const response = await testApp.browser().get(`/api/authors/${authorId}`);
  expect(response.status).toBe(200);
  expect((await response.json()) as Author).toEqual({
    name: 'Ann Author',
    fullName: 'Ann Author',
    avatarUrl: null,
  });
  for (const id of ['system', 'user1', 'nobody', '%00', '..%2f']) {
    expect((await testApp.browser().get(`/api/authors/${id}`)).status).toBe(404);
  }
});
