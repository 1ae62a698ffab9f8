import type { DraftLinkCreated, DraftLinkList } from '@app/contract/blog/draft-link-replies';
import type { Post, PostSaved } from '@app/contract/blog/posts';
import { day } from '@app/contract/durations';
import { limits } from '@app/contract/limits';
import type { Problem } from '@app/contract/problems';
import { users } from '@app/db/schema/accounts';
import { blogDraftLinks, blogPostRevisions } from '@app/db/schema/blog';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { passTimeAndPublish } from '../../testing/blog.ts';
import { allRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  setRole,
  signedInBrowser,
  staffBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { hashToken } from '../../tokens.ts';
import { deleteSupersededRevisions } from '../history/delete-superseded.ts';
import { maxRevisions } from '../revisions/revisions.ts';
import { deleteExpiredLinks } from './draft-links.ts';

async function start() {
  const testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const post = await write(ann, {});
  return { testApp, ann, post, linksPath: `/api/posts/${post.id}/draft-links` };
}

async function write(browser: TestBrowser, more: object): Promise<Post> {
  const reply = await browser.post('/api/posts', { title: 'Frost', content: 'First', ...more });
  return ((await reply.json()) as PostSaved).post;
}

async function share(browser: TestBrowser, post: Post, more: object = {}) {
  const path = `/api/posts/${post.id}/draft-links`;
  const reply = await browser.post(path, { lifetime: 'P7D', ...more });
  if (reply.status !== 201) throw new Error(await reply.text());
  const { link, url } = (await reply.json()) as DraftLinkCreated;
  return { link, url, path: new URL(url).pathname, linkPath: `${path}/${link.id}` };
}

const change = (browser: TestBrowser, { id }: Post, body: object) =>
  browser.send('PATCH', `/api/posts/${id}`, body);

/** The content that a visitor reads, or the status if it is not 200. */
const textAt = async (testApp: TestApp, path: string): Promise<string | number> => {
  const reply = await testApp.browser().get(path);
  if (reply.status !== 200) return reply.status;
  return /"content":"([^"]*)"/.exec(await reply.text())?.[1] ?? '';
};

test('a link that follows the draft shows it to visitors as it is saved', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { link, url, path } = await share(ann, post);
  expect(url).toMatch(/^http:\/\/localhost:4321\/blog\/draft\/[\w-]{43}$/);
  expect(link).toMatchObject({ pinnedTo: null, expiresAt: '2026-03-08T12:00:00.000Z' });
  expect(await textAt(testApp, path)).toBe('First');
  await change(ann, post, { content: 'Second' });
  expect(await textAt(testApp, path)).toBe('Second');
});

test('a pinned link shows one version, whatever is saved later', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { link, path } = await share(ann, post, { pinned: true });
  expect(link.pinnedTo).toEqual({ version: 1, savedAt: '2026-03-01T12:00:00.000Z' });
  await change(ann, post, { content: 'Second', title: 'Other', slug: 'other' });
  const html = await (await testApp.browser().get(path)).text();
  expect(html).toContain('"content":"First"');
  expect(html).toContain('"title":"Frost"');
  await change(ann, post, { published: true });
  expect(await textAt(testApp, path)).toBe('First');
});

test('keeps the revision of a pinned link when a post exceeds its limit of revisions', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { path } = await share(ann, post, { pinned: true });
  const { db } = testApp.deps;
  const [first] = db.select().from(blogPostRevisions).all();
  if (!first) throw new Error('no revision');
  for (let version = 2; version <= maxRevisions + 1; version += 1) {
    const row = { ...first, id: `revision-${version}`, version: version + 1_000 };
    db.insert(blogPostRevisions).values(row).run();
  }
  await change(ann, post, { content: 'Second' });
  expect(await textAt(testApp, path)).toBe('First');
});

test('keeps the revision of a pinned link when superseded revisions are deleted', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { path } = await share(ann, post, { pinned: true });
  await change(ann, post, { content: 'Second' });
  await change(ann, post, { content: 'Third' });
  testApp.clock.move(2 * day);
  await deleteSupersededRevisions(testApp.deps);
  const versions = testApp.deps.db.select().from(blogPostRevisions).all();
  expect(versions.map(({ version }) => version).sort()).toEqual([1, 3]);
  expect(await textAt(testApp, path)).toBe('First');
});

test('a link that follows the draft leads to the post once it is published', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { path } = await share(ann, post);
  await change(ann, post, { published: true, slug: 'ice' });
  const reply = await testApp.browser().get(path);
  expect([reply.status, reply.headers.get('Location')]).toEqual([303, '/blog/ice']);
  expect(reply.headers.get('Cache-Control')).toBe('no-store');
  await change(ann, post, { published: false });
  expect(await textAt(testApp, path)).toBe('First');
});

test('a link to a scheduled post leads to the post once it is published', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const scheduledAt = new Date(testApp.clock.now() + day).toISOString();
  const { path } = await share(ann, await write(ann, { slug: 'soon', scheduledAt }));
  expect(await textAt(testApp, path)).toBe('First');
  await passTimeAndPublish(testApp, day);
  expect((await testApp.browser().get(path)).headers.get('Location')).toBe('/blog/soon');
});

test('answers unknown, expired and revoked links and links to deleted posts with the same 404', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const revoked = await share(ann, post);
  const expired = await share(ann, post, { lifetime: 'P1D' });
  const trashed = await share(ann, await write(ann, { slug: 'trashed' }));
  expect((await ann.send('DELETE', revoked.linkPath, {})).status).toBe(200);
  const other = (await share(ann, post, { lifetime: 'P30D' })).path;
  testApp.clock.move(day);
  const { posts } = (await (await ann.get('/api/posts?drafts=true')).json()) as { posts: Post[] };
  const id = posts.find(({ slug }) => slug === 'trashed')?.id;
  await ann.send('DELETE', `/api/posts/${id}`, {});

  const unknown = `/blog/draft/${'A'.repeat(43)}`;
  const replies = await Promise.all(
    [unknown, revoked.path, expired.path, trashed.path, '/blog/draft/x'].map(async (path) => {
      const reply = await testApp.browser().get(path);
      const { 'x-request-id': __, ...headers } = Object.fromEntries(reply.headers);
      return { status: reply.status, headers, text: await reply.text() };
    }),
  );
  expect(replies[0]?.status).toBe(404);
  expect(replies[0]?.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  expect(replies[0]?.text).toContain('"reason":"dead-link"');
  for (const reply of replies) expect(reply).toEqual(replies[0]);
  expect(await textAt(testApp, other)).toBe('First');

  await ann.post(`/api/posts/${id}/restore`, {});
  expect(await textAt(testApp, trashed.path)).toBe('First');
});

test('the page is never indexed or cached, and is never sent as a referrer', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { path } = await share(ann, post);
  const { headers } = await testApp.browser().get(path);
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
});

test('only the hash of the secret is stored, and it is neither listed nor logged', async () => {
  const { testApp, ann, post, linksPath } = await start();
  await using _ = testApp;
  const { log } = testApp.deps;
  const lines: unknown[] = [];
  vi.spyOn(log, 'isLevelEnabled').mockReturnValue(true);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(line));
  }
  const { path, linkPath } = await share(ann, post);
  const token = path.split('/').at(-1) ?? '';

  expect(JSON.stringify(allRows(testApp.deps.db))).not.toContain(token);
  expect(JSON.stringify(allRows(testApp.deps.db))).toContain(hashToken(token));
  const list = await (await ann.get(linksPath)).text();
  expect(list).not.toContain(token);
  expect(list).not.toContain(hashToken(token));

  const visitor = testApp.browser();
  const prefetch = { 'Sec-Purpose': 'prefetch', 'Sec-Fetch-Dest': 'document' };
  await visitor.get(path);
  await visitor.get(`${path}/`);
  await visitor.request('GET', path, { headers: prefetch });
  await visitor.request('POST', path);
  await ann.send('DELETE', linkPath, {});
  await visitor.get(path);
  expect(JSON.stringify(lines)).toContain('/blog/draft/…');
  expect(JSON.stringify(lines)).not.toContain(token);
});

test('lists who created a link, when it expires and what it shows', async () => {
  const { testApp, ann, post, linksPath } = await start();
  await using _ = testApp;
  const first = await share(ann, post, { lifetime: 'P1D' });
  const second = await share(ann, post, { lifetime: 'P30D', pinned: true });
  const { links } = (await (await ann.get(linksPath)).json()) as DraftLinkList;
  expect(links).toEqual([second.link, first.link]);
  expect(links[0]).toEqual({
    id: second.link.id,
    createdBy: 'Ann',
    createdAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-03-31T12:00:00.000Z',
    pinnedTo: { version: 1, savedAt: '2026-03-01T12:00:00.000Z' },
  });
  testApp.clock.move(day);
  const later = (await (await ann.get(linksPath)).json()) as DraftLinkList;
  expect(later.links).toEqual([second.link]);
});

test('only users who can change a draft can manage its links', async () => {
  const { testApp, ann, post, linksPath } = await start();
  await using _ = testApp;
  const { path, linkPath } = await share(ann, post);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const tryAll = async (browser: TestBrowser) => [
    (await browser.get(linksPath)).status,
    (await browser.post(linksPath, { lifetime: 'P1D' })).status,
    (await browser.send('DELETE', linkPath, {})).status,
  ];
  expect(await tryAll(bob)).toEqual([404, 404, 404]);
  expect(await tryAll(testApp.browser())).toEqual([401, 401, 401]);
  expect(await textAt(testApp, path)).toBe('First');

  testApp.deps.db
    .update(users)
    .set({ role: 'staff' })
    .where(eq(users.email, 'bob@example.com'))
    .run();
  expect(await tryAll(bob)).toEqual([200, 201, 200]);
  expect(await textAt(testApp, path)).toBe(404);
});

test('a link stops working when its creator can no longer change the post', async () => {
  const { testApp, ann, post, linksPath } = await start();
  await using _ = testApp;
  const sam = await staffBrowser(testApp);
  const links = {
    following: await share(sam, post),
    pinned: await share(sam, post, { pinned: true }),
  };
  const ofAnn = await share(ann, post);
  setRole(testApp, 'sam@example.com', 'member');
  await change(ann, post, { content: 'Later' });

  for (const { path } of Object.values(links)) expect(await textAt(testApp, path)).toBe(404);
  expect(await textAt(testApp, ofAnn.path)).toBe('Later');
  const listed = (await (await ann.get(linksPath)).json()) as DraftLinkList;
  expect(listed.links.map(({ id }) => id)).toEqual([ofAnn.link.id]);
  // Published or not.
  await change(ann, post, { published: true });
  expect(await textAt(testApp, links.pinned.path)).toBe(404);
  expect(await textAt(testApp, links.following.path)).toBe(404);
  await change(ann, post, { published: false });

  testApp.deps.settings.authoring = 'team';
  expect(await textAt(testApp, ofAnn.path)).toBe(404);
  testApp.deps.settings.authoring = 'everyone';
  expect(await textAt(testApp, ofAnn.path)).toBe('Later');
  await ann.send('DELETE', '/api/account', { posts: 'keep' });
  expect(await textAt(testApp, ofAnn.path)).toBe(404);
});

test('others see and revoke no links of a published post', async () => {
  const { testApp, ann, post, linksPath } = await start();
  await using _ = testApp;
  const { path, linkPath } = await share(ann, post, { pinned: true });
  await change(ann, post, { published: true });
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const replies = [
    await bob.get(linksPath),
    await bob.post(linksPath, { lifetime: 'P1D' }),
    await bob.send('DELETE', linkPath, {}),
  ];
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(await textAt(testApp, path)).toBe('First');
});

test('revokes a link only under its own post, and only once', async () => {
  const { testApp, ann, post, linksPath } = await start();
  await using _ = testApp;
  const { link, path, linkPath } = await share(ann, post);
  const other = await write(ann, { slug: 'other' });
  const elsewhere = await ann.send('DELETE', `/api/posts/${other.id}/draft-links/${link.id}`, {});
  expect(((await elsewhere.json()) as Problem).detail).toBe(
    'This link was revoked, or has expired.',
  );
  expect(await textAt(testApp, path)).toBe('First');
  expect((await ann.send('DELETE', linkPath, {})).status).toBe(200);
  expect((await ann.send('DELETE', linkPath, {})).status).toBe(404);
  expect((await ann.get(linksPath)).status).toBe(200);
});

test.each([
  {},
  { lifetime: 'P2D' },
  { lifetime: 7 },
  { lifetime: 'P7D', pinned: 'yes' },
  { lifetime: 'P7D', more: 1 },
])('rejects a new link with %j', async (body) => {
  const { testApp, ann, linksPath } = await start();
  await using _ = testApp;
  expect((await ann.post(linksPath, body)).status).toBe(422);
  expect(testApp.deps.db.select().from(blogDraftLinks).all()).toEqual([]);
});

test('rejects links to a published post', async () => {
  const { testApp, ann } = await start();
  await using _ = testApp;
  const post = await write(ann, { slug: 'live', published: true });
  const reply = await ann.post(`/api/posts/${post.id}/draft-links`, { lifetime: 'P1D' });
  expect([reply.status, ((await reply.json()) as Problem).detail]).toEqual([
    403,
    'This post is published: share its own URL.',
  ]);
});

test('limits the links of a draft, even for concurrent requests', async () => {
  const { testApp, ann, post, linksPath } = await start();
  await using _ = testApp;
  const replies = await Promise.all(
    Array.from({ length: limits.draftLinks + 5 }, () => ann.post(linksPath, { lifetime: 'P1D' })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(limits.draftLinks).fill(201), ...Array(5).fill(403)]);
  testApp.clock.move(day);
  await share(ann, post);
});

test('limits how often a network opens links per minute', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { path } = await share(ann, post);
  const visitor = testApp.browser();
  for (let opened = 0; opened < 60; opened += 1) await visitor.get('/blog/draft/unknown');
  const refused = await visitor.get(path);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(refused.headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(await textAt(testApp, path)).toBe('First');
  testApp.clock.move(60_000);
  expect((await visitor.get(path)).status).toBe(200);
});

test('deletes links with their post, with their creator’s account, and after they expire', async () => {
  const { testApp, ann, post } = await start();
  await using _ = testApp;
  const { db } = testApp.deps;
  const rows = () => db.select().from(blogDraftLinks).all().length;
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  db.update(users).set({ role: 'staff' }).run();
  await share(bob, post);
  await share(ann, post, { lifetime: 'P1D' });
  const doomed = await write(ann, { slug: 'doomed' });
  await share(ann, doomed);
  expect(rows()).toBe(3);
  await bob.send('DELETE', '/api/account', { posts: 'keep' });
  expect(rows()).toBe(2);
  await ann.send('DELETE', `/api/posts/${doomed.id}`, {});
  await ann.post(`/api/posts/${doomed.id}/delete-forever`, {});
  expect(rows()).toBe(1);
  await deleteExpiredLinks(testApp.deps);
  expect(rows()).toBe(1);
  testApp.clock.move(day);
  await deleteExpiredLinks(testApp.deps);
  expect(rows()).toBe(0);
});
