import type { PostChange, PostSaved } from '@app/contract/blog/posts';
import type { Problem } from '@app/contract/problems';
import { profiles, users } from '@app/db/schema/accounts';
import { blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  staffBrowser,
  type TestApp,
} from '../../testing/test-app.ts';
import { maxRevisionBytes, maxRevisions } from '../revisions/revisions.ts';

const content = 'First.\n\nSecond.\n\nThird.';

/** Ann is the author, Bob is staff. */
async function twoWriters(testApp: TestApp) {
  const ann = await signedInBrowser(testApp);
  const bob = await staffBrowser(testApp, 'bob@example.com');
  const created = await ann.post('/api/posts', { title: 'Title', content, published: true });
  const { post } = (await created.json()) as PostSaved;
  const { db } = testApp.deps;
  const [bobsAccount] = await db.select().from(users).where(eq(users.email, 'bob@example.com'));
  await db
    .update(profiles)
    .set({ fullName: 'Bob B.' })
    .where(eq(profiles.id, bobsAccount?.id ?? ''));
  const path = `/api/posts/${post.id}`;
  const save = (writer: typeof ann, change: PostChange) => writer.send('PATCH', path, change);
  return { ann, bob, post, path, save };
}

const savedOf = async (response: Response, status = 200): Promise<PostSaved> => {
  expect(response.status).toBe(status);
  return (await response.json()) as PostSaved;
};

test('merges independent changes, and says so', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, bob, post, save } = await twoWriters(testApp);
  expect(post.version).toBe(1);
  const theirs = { baseVersion: 1, title: 'New title', content: content.replace('First', '1st') };
  const first = await savedOf(await save(bob, theirs));
  expect(first).not.toHaveProperty('merged');
  expect(first.post.version).toBe(2);

  const yours = { baseVersion: 1, title: 'Title', excerpt: 'Mine', slug: 'new-slug' };
  const second = await savedOf(
    await save(ann, { ...yours, content: content.replace('Third', '3rd'), published: true }),
  );

  expect(second.merged).toBe(true);
  expect(second.post).toMatchObject({
    version: 3,
    title: 'New title',
    slug: 'new-slug',
    excerpt: 'Mine',
    content: '1st.\n\nSecond.\n\n3rd.',
  });
  const page = await (await ann.get('/api/posts/new-slug')).json();
  expect(page).toEqual(second.post);
});

test('merges tags that both sides added and removed', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, bob, path, save } = await twoWriters(testApp);
  await savedOf(await save(ann, { tags: ['Heating', 'Winter', 'Cost'] }));
  await savedOf(await save(bob, { baseVersion: 2, tags: ['Heating', 'Cost', 'Boilers'] }));

  const yours = { baseVersion: 2, tags: ['HEATING', 'Winter', 'Pipes'] };
  const { post, merged } = await savedOf(await save(ann, yours));

  expect(merged).toBe(true);
  expect(post.tags.map(({ name }) => name)).toEqual(['Heating', 'Boilers', 'Pipes']);
  const untouched = await savedOf(await save(bob, { baseVersion: 3, title: 'Another title' }));
  expect(untouched.post.tags).toEqual(post.tags);
  // If the base version is not stored, nothing counts as removed.
  const unknown = await savedOf(
    await ann.send('PATCH', path, { baseVersion: 99, tags: ['Pumps'] }),
  );
  expect(unknown.post.tags.map(({ name }) => name)).toEqual([
    'Heating',
    'Boilers',
    'Pipes',
    'Pumps',
  ]);
});

test('generates a default excerpt from the merged text, without a conflict', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, bob, save } = await twoWriters(testApp);
  const theirs = { excerpt: '', content: content.replace('First', 'Theirs') };
  const saved = await savedOf(await save(bob, { baseVersion: 1, ...theirs }));
  const yours = { excerpt: '', content: content.replace('Third', 'Yours') };
  const merged = await savedOf(await save(ann, { baseVersion: 1, ...yours }));
  expect(merged.post.excerpt).toBe('Theirs.\n\nSecond.\n\nYours....');

  const written = await savedOf(await save(bob, { baseVersion: 3, excerpt: 'Written' }));
  const late = { baseVersion: 3, excerpt: '', content: `${merged.post.content}\n\nMore.` };
  expect((await savedOf(await save(ann, late))).post.excerpt).toBe('Written');
  expect([saved.merged, merged.merged, written.merged]).toEqual([undefined, true, undefined]);
});

test('a conflict returns both texts and changes nothing', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, bob, save } = await twoWriters(testApp);
  await save(bob, {
    baseVersion: 1,
    title: 'Theirs',
    excerpt: 'Theirs',
    content: content.replace('Second', 'Theirs'),
  });
  await testApp.deps.publisher.settled();
  const before = allRows(testApp.deps.db);

  const response = await save(ann, {
    baseVersion: 1,
    title: 'Yours',
    content: content.replace('Second', 'Yours').replace('Third', '3rd'),
    published: false,
  });

  const problem = (await response.json()) as Problem;
  expect([response.status, problem.code]).toEqual([409, 'edit_conflict']);
  expect(problem.detail).toContain('Bob B.');
  expect(problem.conflict).toEqual({
    version: 2,
    savedBy: 'Bob B.',
    isYours: false,
    savedAt: new Date(testApp.clock.now()).toISOString(),
    merged: {
      title: 'Yours',
      slug: 'title',
      excerpt: 'Theirs',
      coverImage: '',
      tags: '',
      published: false,
    },
    fields: [{ field: 'title', base: 'Title', theirs: 'Theirs', yours: 'Yours' }],
    content: [
      { text: 'First.\n\n' },
      { base: 'Second.\n', theirs: 'Theirs.\n', yours: 'Yours.\n' },
      { text: '\n3rd.\n' },
    ],
  });
  expect(allRows(testApp.deps.db)).toEqual(before);

  const resolved = await savedOf(
    await save(ann, { baseVersion: 2, title: 'Yours', content: 'First.\n\nBoth.\n\n3rd.' }),
  );
  expect(resolved.post).toMatchObject({ title: 'Yours', excerpt: 'Theirs', version: 3 });
});

test('a conflict with what the same author saved elsewhere says so', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, save } = await twoWriters(testApp);
  await save(ann, { baseVersion: 1, title: 'On the phone' });

  const response = await save(ann, { baseVersion: 1, title: 'On the laptop' });

  const problem = (await response.json()) as Problem;
  expect(problem.detail).toContain('you saved this post on another device');
  expect(problem.conflict).toMatchObject({ isYours: true });
});

test('the publish switch needs no base version, and a merge does not undo it', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, bob, save } = await twoWriters(testApp);
  await savedOf(await save(bob, { published: false }));

  const saved = await savedOf(await save(ann, { baseVersion: 1, title: 'New', published: true }));

  expect(saved.post).toMatchObject({ title: 'New', published: false });
  expect((await savedOf(await save(ann, { baseVersion: 1, published: true }))).post).toMatchObject({
    published: true,
    version: 4,
  });
});

test('different texts are a conflict if their base is no longer stored', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, bob, save } = await twoWriters(testApp);
  await save(bob, { content: 'Theirs' });
  await testApp.deps.db.delete(blogPostRevisions).where(eq(blogPostRevisions.version, 1));

  const response = await save(ann, { baseVersion: 1, content: 'Yours' });
  expect(response.status).toBe(409);
  expect(((await response.json()) as Problem).conflict?.content).toEqual([
    { base: null, theirs: 'Theirs\n', yours: 'Yours\n' },
  ]);
  const same = await savedOf(
    await save(ann, { baseVersion: 1, content: 'Theirs', title: 'Title' }),
  );
  expect(same.merged).toBe(true);
});

test('a conflict is not shown to a user who is not allowed to write', async () => {
  await using testApp = await makeTestApp({ publishes: true, settings: { authoring: 'team' } });
  const ann = await signedInBrowser(testApp);
  await testApp.deps.db.update(users).set({ role: 'staff' });
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const created = await ann.post('/api/posts', { title: 'Title', content });
  const { post } = (await created.json()) as PostSaved;
  await ann.send('PATCH', `/api/posts/${post.id}`, { content: 'Theirs' });

  const change = { baseVersion: 1, content: 'Yours' };
  const response = await bob.send('PATCH', `/api/posts/${post.id}`, change);
  expect(response.status).toBe(403);
});

test('concurrent saves of one version keep the line of every writer', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, post, save } = await twoWriters(testApp);
  const lines = Array.from({ length: 12 }, (_, n) => `Line ${n}.`);
  const { post: long } = await savedOf(await save(ann, { content: lines.join('\n\n') }));

  const saves = await Promise.all(
    lines.map((line, n) =>
      save(ann, {
        baseVersion: long.version,
        content: long.content.replace(line, `Changed ${n}.`),
      }),
    ),
  );

  const { content: now } = (await (await ann.get(`/api/posts/${post.slug}`)).json()) as {
    content: string;
  };
  expect(new Set(saves.map(({ status }) => status))).toEqual(new Set([200]));
  expect(now).toBe(lines.map((_, n) => `Changed ${n}.`).join('\n\n'));
});

test('each save writes a revision, and adds the one before if it is missing', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { ann, bob, save } = await twoWriters(testApp);
  const { db } = testApp.deps;
  await db.delete(blogPostRevisions);

  await save(bob, { title: 'New' });
  await save(ann, { published: false });

  const rows = await db.select().from(blogPostRevisions).orderBy(asc(blogPostRevisions.version));
  const [annId, bobId] = (await db.select().from(users).orderBy(asc(users.email))).map(
    ({ id }) => id,
  );
  expect(rows).toMatchObject([
    { version: 1, userId: annId, title: 'Title', published: true, content },
    { version: 2, userId: bobId, title: 'New', published: true, content },
    { version: 3, userId: annId, title: 'New', published: false, content },
  ]);
});

test('deletes the oldest revisions beyond the limits, but no named ones', async () => {
  await using testApp = await makeTestApp();
  const { ann, save } = await twoWriters(testApp);
  const { db } = testApp.deps;
  await db.update(blogPostRevisions).set({ name: 'Kept' });
  const [post] = await db.select().from(blogPosts);
  const [first] = await db.select().from(blogPostRevisions);
  if (!post || !first) throw new Error('the post was created');
  const row = (version: number, bytes: number) => ({
    ...first,
    id: `${version}`,
    version,
    name: null,
    bytes,
  });
  for (let version = 2; version <= maxRevisions; version += 1) {
    await db.insert(blogPostRevisions).values(row(version, 10));
  }
  await db.update(blogPosts).set({ version: maxRevisions });

  await save(ann, { title: 'One more' });
  const versions = async () =>
    (await db.select().from(blogPostRevisions).orderBy(asc(blogPostRevisions.version))).map(
      ({ version }) => version,
    );
  expect((await versions()).slice(0, 3)).toEqual([1, 3, 4]);
  expect(await versions()).toHaveLength(maxRevisions);

  await db
    .update(blogPostRevisions)
    .set({ bytes: maxRevisionBytes })
    .where(eq(blogPostRevisions.version, maxRevisions));
  await save(ann, { title: 'And one' });
  expect(await versions()).toEqual([1, maxRevisions + 1, maxRevisions + 2]);
});
