import { join } from 'node:path';
import { profiles, sessions, users } from '@app/db/schema/accounts';
import { blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { programDatabase } from '@app/db/testing/shared-connection';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { examplePost } from '../blog/routes.ts';
import { listFiles } from '../publishing/release.ts';
import { changingEndpoints } from '../testing/changing-endpoints.ts';
import { isFullRun } from '../testing/full-run.ts';
import { holdRequest } from '../testing/held-request.ts';
import { fileForm, plainPicture } from '../testing/pictures.ts';
import { allRows } from '../testing/tables.ts';
import { makeTestApp, type TestBrowser } from '../testing/test-app.ts';

const testApp = await makeTestApp();
const endpoints = (await changingEndpoints(testApp.app)).filter(({ needsSession }) => needsSession);
let passwordHash: string;
let avatar: { type: string; body: Uint8Array };
let count = 0;

beforeAll(async () => {
  passwordHash = await testApp.deps.passwords.hash('correct horse');
  const form = fileForm(await plainPicture().png().toBuffer());
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const type = request.headers.get('Content-Type') ?? '';
  avatar = { type, body: new Uint8Array(await request.arrayBuffer()) };
});
afterAll(() => testApp[Symbol.asyncDispose]());

interface Member {
  userId: string;
  browser: TestBrowser;
  sessionId: string;
  otherSessionId: string;
  postId: string;
}

/** A user who is signed in on two devices and has a published post. */
async function makeMember(): Promise<Member> {
  count += 1;
  const { db, clock, sessions: sessionStore } = testApp.deps;
  const userId = `member-${count}`;
  const email = `${userId}@example.com`;
  const now = clock.now();
  const times = { createdAt: now, updatedAt: now };
  db.insert(users)
    .values({ id: userId, email, passwordHash, emailConfirmedAt: now, createdAt: now })
    .run();
  db.insert(profiles).values({ id: userId, avatarUrl: '/uploads/old.webp', updatedAt: now }).run();
  const postId = `post-${count}`;
  db.insert(blogPosts)
    .values({
      ...examplePost,
      ...times,
      id: postId,
      slug: postId,
      authorId: userId,
      authorEmail: email,
    })
    .run();
  const revision = { id: `revision-${count}`, version: 1, createdAt: now, bytes: 0 };
  db.insert(blogPostRevisions)
    .values({ ...examplePost, ...revision, postId, userId })
    .run();
  const own = await sessionStore.start({ userId }, { device: 'own' });
  const other = await sessionStore.start({ userId }, { device: 'other' });
  if (!own || !other) throw new Error('the session did not begin');
  const browser = testApp.browser();
  browser.cookies.set(sessionStore.cookieName, own.sessionId);
  return {
    userId,
    browser,
    sessionId: own.publicId,
    otherSessionId: other.publicId,
    postId,
  };
}

/** Everything that a refused request must not change. Rate limits may change. */
async function state() {
  await testApp.deps.outbox.drain();
  const { rate_limits, sessions: all = [], ...rows } = allRows(testApp.deps.db);
  // Reading an expired session may delete it.
  const now = testApp.clock.now();
  const sessions = (all as { expires_at: number }[]).filter((row) => row.expires_at > now);
  const files = await listFiles(join(testApp.dataDir, 'uploads'));
  return { rows: { ...rows, sessions }, files, emails: testApp.emails.sent.length };
}

function requestOf(name: string, { postId, otherSessionId }: Member) {
  const [method = '', path = ''] = name.split(' ');
  const { body, file } = endpoints.find((endpoint) => endpoint.name === name) ?? {};
  const id = path.startsWith('/api/posts') ? postId : otherSessionId;
  const json = body && { ...body, ...('slug' in body && { slug: `new-${count}` }) };
  return {
    method,
    path: path.replace(/:(?:post|id)/, id).replace(':version', '1'),
    // Endpoints that expect no body get one, too, so that the request can be held.
    sent: file ? avatar : { type: 'application/json', body: JSON.stringify(json ?? {}) },
  };
}

async function expectRefused(response: Response, statuses: number[]): Promise<void> {
  const isForm = response.status === 303;
  if (isForm) expect(response.headers.get('Location')).toMatch(/^\/auth\?next=|#failed$/);
  else expect(statuses).toContain(response.status);
}

const endSession = ({ sessionId }: Member) =>
  testApp.deps.db.delete(sessions).where(eq(sessions.id, sessionId)).run();
const deleteUser = ({ userId }: Member) =>
  testApp.deps.db.delete(users).where(eq(users.id, userId)).run();
const expireSession = ({ sessionId }: Member) =>
  testApp.deps.db
    .update(sessions)
    .set({ expiresAt: testApp.clock.now() })
    .where(eq(sessions.id, sessionId))
    .run();

const revocations = [
  ['the session is ended', endSession],
  ['the session expires', expireSession],
  ['the account is deleted', deleteUser],
] as const;

const names = endpoints.map(({ name }) => name);
/** Endpoints that check the session again when they write. The others check it once. */
const writing = new Set(endpoints.filter(({ isReading }) => !isReading).map(({ name }) => name));

test('covers every route that needs a session', () => {
  expect(names.length).toBeGreaterThan(15);
});

// Revocations work alike for every endpoint: the first one is tested with all, each other with one.
const revocationsFor = (index: number) =>
  isFullRun || index === 0
    ? revocations
    : revocations.filter((_, n) => n === index % revocations.length);

describe.each(names.map((name, index) => ({ name, cases: revocationsFor(index) })))(
  '$name',
  ({ name, cases }) => {
    test.each(cases)('changes nothing when %s while its body is sent', async (_, revoke) => {
      const member = await makeMember();
      const { method, path, sent } = requestOf(name, member);
      const held = holdRequest(member.browser, method, path, sent);
      await held.isAwaited;
      revoke(member);
      const before = await state();

      const response = await held.release();

      await expectRefused(response, [401]);
      expect(await state()).toEqual(before);
    });

    const checkedAgain = writing.has(name) ? cases : [];
    test.each(checkedAgain)('changes nothing when %s after its first check', async (_, revoke) => {
      const member = await makeMember();
      const { method, path, sent } = requestOf(name, member);
      const { sessions: sessionStore } = testApp.deps;
      const find = sessionStore.find;
      let before: Awaited<ReturnType<typeof state>> | undefined;
      vi.spyOn(sessionStore, 'find').mockImplementationOnce(async (id) => {
        const found = await find(id);
        revoke(member);
        before = await state();
        return found;
      });

      const response = await member.browser.request(method, path, {
        headers: { 'Content-Type': sent.type },
        body: sent.body as string,
      });

      // Without its author, a post belongs to staff.
      await expectRefused(response, [401, 403]);
      expect(await state()).toEqual(before);
    });
  },
);

describe.each(names.filter((name) => name.includes('/api/posts')))('%s', (name) => {
  const withPost = name.includes(':post');
  const takeRole = ({ userId }: Member) => {
    testApp.deps.settings.authoring = 'team';
    testApp.deps.db.update(users).set({ role: 'member' }).where(eq(users.id, userId)).run();
  };
  const takePost = ({ postId }: Member) =>
    testApp.deps.db.update(blogPosts).set({ authorId: null }).where(eq(blogPosts.id, postId)).run();
  // Nothing says which posts are in the trash.
  const hidden = /:post\/(?:restore|delete-forever)$/.test(name) ? [404] : [];
  const cases = [
    ['its writer loses the role', takeRole, 403] as const,
    ...(withPost ? [['the post is no longer theirs', takePost, 403] as const] : []),
  ];

  test.each(cases)('changes nothing when %s while its body is sent', async (_, revoke, status) => {
    const member = await makeMember();
    const { method, path, sent } = requestOf(name, member);
    const held = holdRequest(member.browser, method, path, sent);
    await held.isAwaited;
    revoke(member);
    const before = await state();

    const response = await held.release();
    testApp.deps.settings.authoring = 'everyone';

    await expectRefused(response, [status, ...hidden]);
    expect(await response.text()).not.toContain(examplePost.title);
    expect(await state()).toEqual(before);
  });

  const checkedAgain = writing.has(name) ? cases : [];
  test.each(checkedAgain)(
    'changes nothing when %s after the first check',
    async (_, revoke, status) => {
      const member = await makeMember();
      const { method, path, sent } = requestOf(name, member);
      const { db: current } = testApp.deps;
      const db = programDatabase(current);
      const before = await state();
      // Revoke right before the transaction takes the write lock.
      const transaction = db.transaction.bind(db);
      vi.spyOn(db, 'transaction').mockImplementationOnce((work, config) => {
        revoke(member);
        return transaction(work, config);
      });

      const response = await member.browser.request(method, path, {
        headers: { 'Content-Type': sent.type },
        body: sent.body as string,
      });
      testApp.deps.settings.authoring = 'everyone';

      await expectRefused(response, [status, ...hidden]);
      const after = await state();
      expect({ ...after, rows: { ...after.rows, users: [], blog_posts: [] } }).toEqual({
        ...before,
        rows: { ...before.rows, users: [], blog_posts: [] },
      });
      const post = current.select().from(blogPosts).where(eq(blogPosts.id, member.postId)).get();
      expect(post).toMatchObject({ title: examplePost.title, version: 1 });
    },
  );
});
