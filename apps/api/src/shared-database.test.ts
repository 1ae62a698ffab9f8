import { join } from 'node:path';
import { openPrimary } from '@app/db/replica/open-replica';
import { blogPosts } from '@app/db/schema/blog';
import { databaseUrlOf, stopSharedServers } from '@app/db/testing/shared-databases';
import { describeOnServer } from '@app/db/testing/sqld';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { shownAt } from './testing/blog.ts';
import { joinNewsletter } from './testing/newsletter.ts';
import { createPost, findPost, inFuture } from './testing/scheduling.ts';
import { isSignedIn, makeTestApp, signedInBrowser } from './testing/test-app.ts';
import { until } from './testing/until.ts';

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
    const scheduledAt = inFuture(testApp, 60 * 60 * 1_000);
    await createPost(ann, { title: 'Later', scheduledAt });
    testApp.clock.move(60 * 60 * 1_000);
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

  test('a post can be changed right after another server has created it', async () => {
    await using testApp = await makeTestApp({ database: 'replica' });
    const ann = await signedInBrowser(testApp);
    await createPost(ann, {});
    const { db } = testApp.deps;
    const [post] = db.select().from(blogPosts).all();
    if (!post) throw new Error('there is no post');
    const url = databaseUrlOf(join(testApp.dataDir, 'site.db')) ?? '';
    const other = await openPrimary({ url });
    onTestFinished(() => other.close());
    for (let n = 0; n < 20; n += 1) {
      const created = { ...post, id: `${post.id.slice(0, -2)}${10 + n}`, slug: `frost-${n}` };
      other.db.insert(blogPosts).values(created).run();
      const changed = await ann.send('PATCH', `/api/posts/${created.id}`, { title: 'Frost again' });
      expect(changed.status).toBe(200);
    }
  });
});
