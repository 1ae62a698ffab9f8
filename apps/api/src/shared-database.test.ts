import { join } from 'node:path';
import { hour } from '@app/contract/durations';
import { remoteWritesOf } from '@app/db/remote-writes';
import { openPrimary } from '@app/db/replica/open-replica';
import { blogPosts } from '@app/db/schema/blog';
import { childrenWith } from '@app/db/testing/child-processes';
import { databaseUrlOf, stopSharedServers } from '@app/db/testing/shared-databases';
import { describeOnServer } from '@app/db/testing/sqld';
import { eq } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { shownAt } from './testing/blog.ts';
import { joinNewsletter } from './testing/newsletter.ts';
import { changePost, createPost, findPost, inFuture } from './testing/scheduling.ts';
import { isSignedIn, makeTestApp, signedInBrowser } from './testing/test-app.ts';
import { until } from './testing/until.ts';

/** Keeps replicas from syncing. @returns a function that resumes the syncs */
function suspendSync(): () => void {
  const syncing = childrenWith('sync-process');
  for (const pid of syncing) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of syncing) process.kill(pid, 'SIGCONT');
  };
}

const message = { name: 'Vera', email: 'vera@example.com', message: 'A pipe is leaking.' };

// With TEST_DATABASE, all tests of the API run on one of them.
describeOnServer('features on a shared database', () => {
  afterAll(stopSharedServers);

  test.each(['server', 'replica'] as const)('work on a %s', async (database) => {
    await using testApp = await makeTestApp({ database, publishes: true });
    const { outbox, scheduler } = testApp.deps;
    const ann = await signedInBrowser(testApp);
    await ann.post('/api/auth/sign-out', {});
    expect(await isSignedIn(ann)).toBe(false);
    const account = { email: 'ann@example.com', password: 'correct horse' };
    expect((await ann.post('/api/auth/sign-in', account)).status).toBe(200);
    expect(await isSignedIn(ann)).toBe(true);

    await createPost(ann, { published: true });
    expect(await shownAt(testApp, '/blog/frost')).toMatchObject({ post: { title: 'Frost' } });
    const scheduledAt = inFuture(testApp, hour);
    await createPost(ann, { title: 'Later', scheduledAt });
    testApp.clock.move(hour);
    await scheduler.publishDue();
    await until(async () => (await shownAt(testApp, '/blog/later')) !== null);
    expect(await findPost(ann, 'later')).toMatchObject({ published: true });

    await joinNewsletter(testApp);
    const visitor = testApp.browser();
    expect((await visitor.post('/api/contact', message)).status).toBe(201);
    await outbox.drain();
    expect(testApp.emails.sent.filter(({ kind }) => kind === 'contact-notice')).toHaveLength(1);
    let { status } = new Response();
    for (let sent = 1; sent < 100 && status !== 429; sent += 1) {
      const changed = { ...message, message: `Pipe ${sent} is leaking.` };
      ({ status } = await visitor.post('/api/contact', changed));
    }
    expect(status).toBe(429);
  });

  test('a post can be changed right after another server has created or changed it', async () => {
    await using testApp = await makeTestApp({ database: 'replica' });
    const ann = await signedInBrowser(testApp);
    await createPost(ann, {});
    const [post] = testApp.deps.db.select().from(blogPosts).all();
    if (!post) throw new Error('there is no post');
    const url = databaseUrlOf(join(testApp.dataDir, 'site.db')) ?? '';
    const other = await openPrimary({ url });
    onTestFinished(() => other.close());
    const created = { ...post, id: `${post.id.slice(0, -2)}zz`, slug: 'frost-2' };
    const isCreated = eq(blogPosts.id, created.id);

    /** Sends a change while the replica does not have what `before` has stored. */
    async function change(before: () => unknown, body: object): Promise<number> {
      const resumeSync = suspendSync();
      before();
      let isAnswered = false;
      const sent = ann.send('PATCH', `/api/posts/${created.id}`, body);
      const answered = () => {
        isAnswered = true;
      };
      void sent.then(answered, answered);
      const storedTitle = () => other.db.select().from(blogPosts).where(isCreated).get()?.title;
      await until(async () => isAnswered || storedTitle() === Reflect.get(body, 'title'));
      resumeSync();
      return (await sent).status;
    }

    const create = () => other.db.insert(blogPosts).values(created).run();
    expect(await change(create, { title: 'Second' })).toBe(200);
    const save = () => other.db.update(blogPosts).set({ version: 7 }).where(isCreated).run();
    expect(await change(save, { title: 'Third', baseVersion: 7 })).toBe(200);
  });

  test('a change that a replica does not have in time is pending, and published when it arrives', async () => {
    await using testApp = await makeTestApp({ database: 'replica', publishes: true });
    const ann = await signedInBrowser(testApp);
    const post = await createPost(ann, { published: true });
    await testApp.deps.publisher.settled();
    const remote = remoteWritesOf(testApp.deps.db);
    if (!remote) throw new Error('the database is not on a server');
    // After a second in the program.
    vi.spyOn(remote, 'caughtUp').mockResolvedValue(false);
    const status = async () => (await ann.get(`/api/posts/${post.id}/publishing`)).json();

    let resumeSync = suspendSync();
    const reason = 'The change has not arrived from the database server yet.';
    const pending = { state: 'pending', reason, pages: [] };
    try {
      expect((await changePost(ann, post, { title: 'Thaw' })).publishing).toEqual(pending);
      await testApp.deps.publisher.settled();
      expect(await status()).toMatchObject({ state: 'pending' });
    } finally {
      resumeSync();
    }
    const changed = { post: { title: 'Thaw' } };
    await vi.waitFor(
      async () => expect(await shownAt(testApp, '/blog/frost')).toMatchObject(changed),
      90_000,
    );
    expect(await status()).toMatchObject({ state: 'live' });

    resumeSync = suspendSync();
    try {
      const removed = await ann.send('DELETE', `/api/posts/${post.id}`, {});
      expect(await removed.json()).toEqual({ publishing: pending });
      await testApp.deps.publisher.settled();
    } finally {
      resumeSync();
    }
    await until(async () => (await shownAt(testApp, '/blog/frost')) === null);
  });
});
