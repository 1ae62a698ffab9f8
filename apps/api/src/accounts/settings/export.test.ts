import type { Picture } from '@app/contract/blog/picture-replies';
import { day } from '@app/contract/durations';
import { careerInquiry } from '@app/contract/forms/careers';
import { contactMessage } from '@app/contract/forms/contact';
import { identities, profiles, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { setWritable } from '@app/db/testing/shared-connection';
import { company } from '@app/site/company';
import { eq } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { idOf } from '../../testing/account-deletion.ts';
import { startWriting } from '../../testing/blog.ts';
import { fileForm, plainPicture, putAvatar } from '../../testing/pictures.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { exportAccount } from './export.ts';

const email = 'ann@example.com';

async function exported(browser: TestBrowser): Promise<Record<string, string>> {
  const response = await browser.get('/api/account/export');
  expect(response.status).toBe(200);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)] as const),
  );
}

const messageOf = (name: string, address: string) => ({
  name,
  email: address,
  message: `Hello from ${name}`,
});

const inquiryOf = (name: string, address: string) => ({
  name: `${name} Miller`,
  email: address,
  message: `Please hire ${name}`,
});

const withoutEmail = <Sent extends { email: string }>({ email, ...others }: Sent) => others;

/** Adds a row to every table with user data. */
async function addUserData(testApp: TestApp, browser: TestBrowser, address: string) {
  const { db, clock } = testApp.deps;
  const name = address.split('@')[0] ?? '';
  await browser.post('/api/posts', {
    title: `By ${name}`,
    content: `Text of ${name}`,
    published: true,
  });
  const scheduledAt = new Date(clock.now() + day).toISOString();
  const draft = { title: `Draft by ${name}`, content: 'Secret', scheduledAt };
  await browser.post('/api/posts', draft);
  const visitor = testApp.browser();
  await visitor.post('/api/newsletter', { email: address });
  await visitor.post('/api/contact', messageOf(name, address));
  await visitor.post('/api/careers', inquiryOf(name, address));
  const id = await idOf(testApp, address);
  await db
    .update(profiles)
    .set({ username: name, fullName: `${name} Miller` })
    .where(eq(profiles.id, id));
  await db
    .insert(identities)
    .values({ provider: 'google', subject: `google-${name}`, userId: id, createdAt: clock.now() });
}

test('exports all data of the user, and none of others', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  await addUserData(testApp, bob, 'bob@example.com');
  await addUserData(testApp, ann, email);

  const files = await exported(ann);

  expect(Object.keys(files).sort()).toEqual([
    'account.json',
    'posts/by-ann.md',
    'posts/draft-by-ann.md',
  ]);
  const time = '2026-03-01T12:00:00.000Z';
  expect(JSON.parse(files['account.json'] ?? '')).toEqual({
    exportedAt: time,
    account: {
      id: await idOf(testApp, email),
      email,
      role: 'member',
      createdAt: time,
      emailConfirmedAt: time,
    },
    profile: { username: 'ann', fullName: 'ann Miller', avatarUrl: null, updatedAt: time },
    signInMethods: {
      password: true,
      elsewhere: [{ provider: 'google', subject: 'google-ann', connectedAt: time }],
    },
    devices: [
      {
        name: '',
        createdAt: time,
        signedInAt: time,
        lastSeenAt: time,
        expiresAt: expect.stringMatching(/^2026-03-31T1[12]:/),
      },
    ],
    draftLinks: [],
    pictures: [],
    newsletter: { state: 'pending', createdAt: time, confirmedAt: null, unsubscribedAt: null },
    contactMessages: [
      { ...withoutEmail(v.parse(contactMessage, messageOf('ann', email))), sentAt: time },
    ],
    careerInquiries: [
      { ...withoutEmail(v.parse(careerInquiry, inquiryOf('ann', email))), sentAt: time },
    ],
  });
  expect(files['posts/by-ann.md']).toBe(
    [
      '---',
      'title: "By ann"',
      'slug: "by-ann"',
      'published: true',
      `createdAt: "${time}"`,
      `updatedAt: "${time}"`,
      'excerpt: "Text of ann..."',
      'coverImage: null',
      'tags: []',
      '---',
      '',
      'Text of ann',
      '',
    ].join('\n'),
  );
  expect(files['posts/draft-by-ann.md']).toContain(
    'published: false\nscheduledAt: "2026-03-02T12:00:00.000Z"\n',
  );
  expect(Object.values(files).join()).not.toMatch(/bob/i);
});

test('exports the avatar in both sizes', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  for (const browser of [bob, ann]) {
    const saved = await putAvatar(browser, await plainPicture().png().toBuffer());
    expect(saved.status).toBe(200);
  }
  const response = await ann.get('/api/account/export');
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));

  const { account } = JSON.parse(strFromU8(files['account.json'] ?? new Uint8Array()));
  const names = Object.keys(files).filter((name) => name.startsWith('pictures/'));
  expect(names).toEqual([
    expect.stringMatching(/^pictures\/avatar-\d+\.webp$/),
    expect.stringMatching(/^pictures\/avatar-\d+-96\.webp$/),
  ]);
  for (const name of names) {
    const path = name.replace('pictures/', `/uploads/avatars/${account.id}/`);
    const served = await (await ann.get(path)).arrayBuffer();
    expect(files[name]).toEqual(new Uint8Array(served));
  }
});

test('exports the pictures of posts, under their paths', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const uploads = [ann, bob].map(async (browser) => {
    const body = fileForm(await plainPicture(1_000, 500).png().toBuffer());
    body.set('alt', 'A wall');
    const response = await browser.request('POST', '/api/posts/pictures', { body });
    return (await response.json()) as Picture;
  });
  const [{ path }] = (await Promise.all(uploads)) as [Picture, Picture];
  const response = await ann.get('/api/account/export');
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const record = JSON.parse(strFromU8(files['account.json'] ?? new Uint8Array()));
  expect(record.pictures).toEqual([{ path, alt: 'A wall', uploadedAt: expect.any(String) }]);
  expect(Object.keys(files).filter((name) => name.startsWith('pictures/'))).toEqual([
    path.slice(1),
  ]);
  const served = await (await testApp.browser().get(path)).arrayBuffer();
  expect(files[path.slice(1)]).toEqual(new Uint8Array(served));
});

test('exports no secrets or hashes', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const all = Object.values(await exported(ann)).join();
  const [user] = await testApp.deps.db.select().from(users);
  for (const secret of [user?.passwordHash, 'argon2', ann.cookies.get('session')]) {
    expect(secret).toMatch(/\w/);
    expect(all).not.toContain(secret);
  }
});

test('replies with a download that is not cached', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const rows = allRows(testApp.deps.db);

  const { headers, body } = await ann.get('/api/account/export');
  // As when the user closes the tab.
  await body?.cancel(new Error('gone')).catch(() => undefined);

  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${company.domain}-2026-03-01.zip"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const { rate_limits: _, ...left } = allRows(testApp.deps.db);
  expect(rows).toMatchObject(left);
});

test('requires a sign-in, but not a recent one', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  testApp.clock.move(day);
  expect(Object.keys(await exported(ann))).toEqual(['account.json']);
  const refused = await testApp.browser().get('/api/account/export');
  expect([refused.status, await refused.json()]).toEqual([
    401,
    expect.objectContaining({ code: 'not_signed_in' }),
  ]);
});

test('redirects a visitor to the sign-in page', async () => {
  await using testApp = await makeTestApp();
  const headers = { 'Sec-Fetch-Mode': 'navigate' };
  const response = await testApp.browser().request('GET', '/api/account/export', { headers });
  expect([response.status, response.headers.get('Location')]).toEqual([
    303,
    '/auth?next=%2Fprofile',
  ]);
});

test('reads posts in batches', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp, email);
  const { db } = testApp.deps;
  const id = await idOf(testApp, email);
  const post = (n: number) => ({
    id: `post-${n}`,
    slug: `post-${n}`,
    title: `Post ${n}`,
    excerpt: '',
    content: 'x'.repeat(1_000),
    published: true,
    authorId: id,
    authorEmail: email,
    createdAt: n,
    updatedAt: n,
  });
  await db.insert(blogPosts).values(Array.from({ length: 500 }, (_, n) => post(n)));
  const asked = vi.spyOn(db, 'select');
  const queries = (): number => asked.mock.calls.length;

  const reader = exportAccount(testApp.deps, id).getReader();
  await reader.read();
  const atFirst = queries();
  let bytes = 0;
  while (bytes < 5_000) bytes += (await reader.read()).value?.length ?? 0;
  expect(queries()).toBe(atFirst + 1);
  await reader.cancel(new Error('gone')).catch(() => undefined);
  expect(queries()).toBe(atFirst + 1);

  asked.mockClear();
  expect(Object.keys(await exported(ann))).toHaveLength(501);
  expect(queries()).toBeLessThan(25);
});

test('logs and aborts a failed export', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('First');
  const { log, db } = testApp.deps;
  const logged = vi.spyOn(log, 'error');
  const reader = exportAccount(testApp.deps, 'ann').getReader();
  await reader.read();
  db.$client.exec('ALTER TABLE blog_posts RENAME TO elsewhere');
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow(/blog_posts/);
  db.$client.exec('ALTER TABLE elsewhere RENAME TO blog_posts');
  expect(logged).toHaveBeenCalledWith({ err: expect.any(Error) }, 'an export was interrupted');
});

test('limits exports to ten per hour', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  for (let n = 0; n < 10; n += 1) await exported(ann);
  const refused = await ann.get('/api/account/export');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
});

test('exports the trash', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, remove } = await startWriting(testApp);
  const { post: first } = await write('Twice');
  await remove(first);
  const { post: second } = await write('Later', { published: false });
  await remove(second);
  const files = unzipSync(
    new Uint8Array(await new Response(exportAccount(testApp.deps, 'ann')).arrayBuffer()),
  );
  const fileOf = ({ slug }: { slug: string }) =>
    strFromU8(files[`trash/${slug}.md`] ?? new Uint8Array());
  expect(fileOf(first)).toContain('published: true\n');
  expect(fileOf(second)).toContain('slug: "later"\npublished: false\n');
  expect(fileOf(second)).toContain('deletedAt: "2026-03-01T12:00:00.000Z"\n');
});

test('exports on a read-only disk, without counting the request', async () => {
  await using testApp = await makeTestApp();
  const browser = await signedInBrowser(testApp);
  await setWritable(testApp.deps.db, false);
  expect((await browser.get('/api/account/export')).status).toBe(200);
  const change = await browser.send('PATCH', '/api/profile', { fullName: 'Ann' });
  expect([change.status, change.headers.get('Retry-After')]).toEqual([503, '15']);
});

test('exports earlier versions that the user saved, including those of others’ posts', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  testApp.deps.db.update(users).set({ role: 'staff' }).run();
  const create = async (browser: TestBrowser, title: string): Promise<string> => {
    const fields = { title, content: `By ${title}`, published: true };
    const response = await browser.post('/api/posts', fields);
    return ((await response.json()) as { post: { id: string } }).post.id;
  };
  const own = await create(ann, 'Ann');
  const other = await create(bob, 'Bob');
  await ann.send('PATCH', `/api/posts/${own}`, { content: 'Changed' });
  await bob.send('PATCH', `/api/posts/${own}`, { content: 'Changed by Bob' });
  await ann.send('PATCH', `/api/posts/${other}`, { content: 'Changed by Ann' });

  const files = await exported(ann);

  const names = Object.keys(files).filter((name) => name.startsWith('history/'));
  expect(names.sort()).toEqual(
    [`history/${own}/1.md`, `history/${own}/2.md`, `history/${other}/2.md`].sort(),
  );
  expect(files[`history/${own}/2.md`]).toContain('\nChanged\n');
  expect(files[`history/${own}/2.md`]).toContain('title: "Ann"');
});

test('exports unsaved text', async () => {
  await using testApp = await makeTestApp();
  const ann = await signedInBrowser(testApp, email);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const id = '11111111-2222-4333-8444-555555555555';
  await ann.send('PUT', `/api/posts/drafts/${id}`, { title: 'Idea', content: 'Unfinished' });
  await bob.send('PUT', `/api/posts/drafts/${id}`, { content: 'Of Bob' });

  const files = await exported(ann);
  expect(JSON.parse(files[`unsaved/${id}.json`] ?? '')).toMatchObject({
    title: 'Idea',
    content: 'Unfinished',
  });
  expect(Object.keys(files)).toHaveLength(2);
});
