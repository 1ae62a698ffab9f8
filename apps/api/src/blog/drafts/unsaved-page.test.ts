import { randomUUID } from 'node:crypto';
import type { Draft } from '@app/contract/blog/draft-replies';
import { blogMessages } from '@app/contract/blog/messages';
import type { PostSaved } from '@app/contract/blog/posts';
import type { PageData } from '@app/contract/pages';
import { blogPostDrafts } from '@app/db/schema/blog';
import { expect, test } from 'vitest';
import {
  makeTestApp,
  setRole,
  signedInBrowser,
  staffBrowser,
  type TestBrowser,
} from '../../testing/test-app.ts';

const content = 'First.\n\nSecond.\n\nThird.';

async function editPage(browser: TestBrowser, path: string) {
  const html = await (await browser.get(`/blog/editor/${path}`)).text();
  const page = JSON.parse(/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? '') as PageData;
  if (page.kind !== 'edit') throw new Error(`a page of kind ${page.kind}`);
  return page;
}

async function createPost(browser: TestBrowser, published = true) {
  const fields = { title: 'Title', content, published };
  return ((await (await browser.post('/api/posts', fields)).json()) as PostSaved).post;
}

test('offers unsaved text, and fills the form with it on request', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug, version } = await createPost(ann);
  const typed = { title: '', slug: 'x y', content: 'Typed', baseVersion: version };
  await ann.send('PUT', `/api/posts/drafts/${id}`, typed);

  const offered = await editPage(ann, slug);
  expect(offered.draft).toEqual({ id, updatedAt: new Date(testApp.clock.now()).toISOString() });
  expect(offered.restored).toBeNull();

  const { draft, restored } = await editPage(ann, `${slug}?draft=restore`);
  expect(draft).toBeNull();
  expect(restored).toMatchObject({ id, conflict: null, fields: { title: '', content: 'Typed' } });
});

test.each([true, false])(
  'unsaved text of a post that is gone opens as a new post (deleted: %s)',
  async (isDeleted) => {
    await using testApp = await makeTestApp({ publishes: true });
    const ann = await signedInBrowser(testApp);
    const bob = await staffBrowser(testApp, 'bob@example.com');
    const { id } = await createPost(ann);
    await bob.send('PUT', `/api/posts/drafts/${id}`, { content: 'Typed', baseVersion: 1 });
    expect((await bob.get(`/blog/editor/${id}`)).status).toBe(404);
    if (isDeleted) await ann.request('DELETE', `/api/posts/${id}`);
    else setRole(testApp, 'bob@example.com', 'member');

    expect(await editPage(bob, id)).toMatchObject({
      post: null,
      restored: { id, conflict: null, fields: { content: 'Typed' } },
    });
  },
);

test('merges restored text with what was saved since', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug, version, excerpt } = await createPost(ann);
  const typed = { title: 'Title', slug, excerpt, published: true, baseVersion: version };
  await ann.send('PUT', `/api/posts/drafts/${id}`, { ...typed, content: `${content}\n\nMore.` });
  await ann.send('PATCH', `/api/posts/${id}`, {
    title: 'New',
    content: content.slice(8),
    slug: 'new',
  });

  // The old slug works as well: the page was open during the rename.
  const moved = await ann.get(`/blog/editor/${slug}?draft=restore`);
  expect(moved.headers.get('Location')).toBe('/blog/editor/new?draft=restore');
  expect((await editPage(ann, 'new?draft=restore')).restored).toMatchObject({
    conflict: null,
    fields: { title: 'New', slug: 'new', content: 'Second.\n\nThird.\n\nMore.' },
  });
});

test('a conflicting form without JavaScript comes back with both texts to choose from', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug, excerpt } = await createPost(ann);
  const theirs = content.replace('Second', 'Theirs');
  await ann.send('PATCH', `/api/posts/${id}`, { title: 'Theirs', content: theirs });

  const yours = content.replace('Second', 'Yours').replaceAll('\n', '\r\n');
  const fields = {
    title: 'Yours',
    slug,
    excerpt,
    coverImage: '',
    baseVersion: '1',
    published: 'true',
  };
  const response = await ann.submit(`/api/posts/${id}`, { ...fields, content: yours });

  const path = `/blog/editor/${slug}?draft=restore`;
  expect([response.status, response.headers.get('Location')]).toEqual([
    303,
    `${path}#edit-conflict`,
  ]);
  const { restored } = await editPage(ann, `${slug}?draft=restore`);
  expect(restored?.fields).toMatchObject({
    title: 'Yours',
    content: content.replace('Second', 'Yours'),
  });
  expect(restored?.conflict).toMatchObject({
    version: 2,
    fields: [{ field: 'title', theirs: 'Theirs', yours: 'Yours' }],
    content: [{}, { theirs: 'Theirs.\n', yours: 'Yours.\n' }, {}],
  });

  const choose = async (choices: string) =>
    (await editPage(ann, `${slug}?draft=restore&${choices}`)).restored;
  expect(await choose('onto=2&title=theirs&content0=both')).toMatchObject({
    conflict: null,
    fields: { title: 'Theirs', content: 'First.\n\nTheirs.\nYours.\n\nThird.' },
  });
  // Choices for another version, and incomplete choices, resolve nothing.
  expect((await choose('onto=1&title=theirs&content0=both'))?.conflict).not.toBeNull();
  expect((await choose('onto=2&title=theirs'))?.conflict).not.toBeNull();

  const saved = await ann.submit(`/api/posts/${id}`, {
    ...fields,
    baseVersion: '2',
    draft: id,
    draftUpdatedAt: restored?.updatedAt ?? '',
    content: 'Chosen',
  });
  expect(saved.headers.get('Location')).toBe(`/blog/${slug}`);
  expect(await testApp.deps.db.select().from(blogPostDrafts)).toEqual([]);
});

test('a conflicting form without JavaScript replaces only the draft that it continues', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug } = await createPost(ann);
  await ann.send('PATCH', `/api/posts/${id}`, { content: 'Theirs' });
  const draft = `/api/posts/drafts/${id}`;
  await ann.send('PUT', draft, { content: 'Of another tab', baseVersion: 1 });
  const send = (more: Record<string, string>) =>
    ann.submit(`/api/posts/${id}`, { title: 'T', content: 'Yours', baseVersion: '1', ...more });
  const stored = async () => (await (await ann.get(draft)).json()) as Draft;

  const refused = await send({});
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining(blogMessages.unsaved.conflict),
  ]);
  const { updatedAt, fields } = await stored();
  expect(fields.content).toBe('Of another tab');

  const conflict = await send({ draft: id, draftUpdatedAt: updatedAt });
  expect(conflict.headers.get('Location')).toBe(`/blog/editor/${slug}?draft=restore#edit-conflict`);
  expect((await stored()).fields.content).toBe('Yours');
});

test('keeps the scheduled time as part of unsaved text, even after a conflict', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug, excerpt } = await createPost(ann, false);
  await ann.send('PATCH', `/api/posts/${id}`, { title: 'Theirs' });

  const form = { title: 'Yours', slug, excerpt, content, coverImage: '', baseVersion: '1' };
  const time = { scheduledAt: '2026-03-29T09:00', scheduledBefore: '', timeZone: 'Asia/Kabul' };
  await ann.submit(`/api/posts/${id}`, { ...form, ...time });
  const restored = async (query: string) =>
    (await editPage(ann, `${slug}?draft=restore${query}`)).restored;
  const scheduledAt = '2026-03-29T04:30:00.000Z';
  expect(await restored('')).toMatchObject({ conflict: {}, fields: { scheduledAt } });
  const chosen = await restored('&onto=2&title=yours');
  expect(chosen).toMatchObject({ conflict: null, fields: { title: 'Yours', scheduledAt } });

  // A draft that is merged, and one with the text of the post.
  const typed = { title: 'Theirs', slug, excerpt, scheduledAt: null };
  const draft = `/api/posts/drafts/${id}`;
  await ann.send('PUT', draft, { ...typed, content: `${content}\n\nMore.`, baseVersion: 1 });
  expect(await restored('')).toMatchObject({ conflict: null, fields: { scheduledAt: null } });
  await ann.send('PUT', draft, { ...typed, content, scheduledAt });
  expect(await restored('')).toMatchObject({ fields: { title: 'Theirs', scheduledAt } });
});

test('a form without JavaScript shows that its text was merged', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug } = await createPost(ann);
  await ann.send('PATCH', `/api/posts/${id}`, { title: 'Theirs' });

  const fields = { content: `${content}\n\nMore.`, baseVersion: '1', published: 'true' };
  const response = await ann.submit(`/api/posts/${id}`, fields);
  expect(response.headers.get('Location')).toBe(`/blog/editor/${slug}#merged`);
});

test('opens unsaved text of a new post only for its author', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const bob = await signedInBrowser(testApp, 'bob@example.com');
  const id = randomUUID();
  await ann.send('PUT', `/api/posts/drafts/${id}`, { content: 'Typed' });

  expect(await editPage(ann, id)).toMatchObject({
    post: null,
    restored: { id, conflict: null, fields: { content: 'Typed' } },
  });
  const ofBob = await bob.get(`/blog/editor/${id}`);
  expect(ofBob.status).toBe(404);
  expect(await ofBob.text()).not.toContain('Typed');
});

test('limits the text an account loads into the editor to 32 MB a minute, once escaped', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const { id, slug } = await createPost(ann);
  const quotes = '"'.repeat(390_000);
  expect((await ann.send('PUT', `/api/posts/drafts/${id}`, { content: quotes })).status).toBe(200);
  const load = (browser: TestBrowser) => browser.get(`/blog/editor/${slug}?draft=restore`);

  let loads = 0;
  while ((await load(ann)).status === 200 && loads < 100) loads += 1;

  expect(loads).toBe(14);
  const refused = await load(ann);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect(await refused.text()).toContain('"kind":"noPost","reason":"too-many"');
  testApp.clock.move(60_000);
  expect((await load(ann)).status).toBe(200);
});
