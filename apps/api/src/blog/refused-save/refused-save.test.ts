import { randomUUID } from 'node:crypto';
import { blogMessages, postFieldMessages } from '@app/contract/blog/messages';
import type { RefusedSave } from '@app/contract/blog/pages';
import type { Post, PostSaved } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import type { PageData } from '@app/contract/pages';
import type { ProblemCode } from '@app/contract/problems';
import { sessions } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { fillStorage } from '@app/db/testing/shared-connection';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { settledRows } from '../../testing/tables.ts';
import {
  makeTestApp,
  signedInBrowser,
  type TestApp,
  type TestBrowser,
} from '../../testing/test-app.ts';
import { renderingBusy } from '../rendering/body-renderer.ts';

const typed = {
  title: 'Typed title',
  slug: 'typed',
  coverImage: 'https://example.com/a.jpg',
  excerpt: 'Typed excerpt',
  tags: 'One, Two',
  content: 'Typed\r\n\r\ntext <b>',
  published: 'true',
  scheduledAt: '',
  scheduledBefore: '',
  timeZone: 'UTC',
};

const returned: RefusedSave['fields'] = {
  title: 'Typed title',
  slug: 'typed',
  coverImage: 'https://example.com/a.jpg',
  excerpt: 'Typed excerpt',
  tags: 'One, Two',
  content: 'Typed\n\ntext <b>',
  published: true,
};

const dataOf = (html: string): PageData =>
  JSON.parse(/<pre>(.*)<\/pre>/s.exec(html)?.[1] ?? '') as PageData;

async function refusedPage(response: Response) {
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
  const page = dataOf(await response.text());
  if (page.kind !== 'edit' || !page.refused) throw new Error('not a refused save');
  return { ...page, refused: page.refused };
}

interface Situation {
  testApp: TestApp;
  ann: TestBrowser;
  post: Post;
}

interface Refusal {
  name: string;
  status: number;
  code: ProblemCode;
  fields?: Partial<typeof typed> & Record<string, string>;
  detail?: string;
  issues?: { path: string; message: string }[];
  quotas?: Partial<{ posts: number; textBytes: number; publishesPerHour: number }>;
  before?: (situation: Situation) => unknown;
  headers?: Record<string, string>;
  /** Where the page sends the text again, if not to the same URL. */
  action?: string;
  /** Whether the page shows the stored post, too. */
  hasPost?: false;
  /** False if only changes, not new posts, can be refused for this reason. */
  ofNewPost?: false;
}

const refusals: readonly Refusal[] = [
  {
    name: 'invalid fields',
    status: 422,
    code: 'invalid_input',
    fields: { title: ' ', coverImage: 'no url', tags: 'x'.repeat(limits.tag + 1) },
    issues: [
      { path: 'title', message: postFieldMessages.titleRequired },
      { path: 'coverImage', message: messages.field.urlInvalid },
      { path: 'tags', message: postFieldMessages.tagTooLong },
    ],
  },
  {
    name: 'a text that is too long',
    status: 422,
    code: 'invalid_input',
    fields: { content: 'x'.repeat(limits.content + 1) },
    issues: [{ path: 'content', message: messages.field.tooLong(limits.content) }],
  },
  {
    name: 'a text that cannot be rendered',
    status: 422,
    code: 'invalid_input',
    before: ({ testApp }) =>
      vi.spyOn(testApp.deps.bodies, 'render').mockResolvedValue({ problem: 'Too complex.' }),
    issues: [{ path: 'content', message: 'Too complex.' }],
  },
  {
    name: 'a reserved slug',
    status: 422,
    code: 'invalid_input',
    fields: { slug: 'editor' },
    issues: [{ path: 'slug', message: postFieldMessages.slugReserved }],
  },
  {
    name: 'a field that the form does not have',
    status: 422,
    code: 'invalid_input',
    fields: { surprise: 'x' },
    issues: [{ path: 'surprise', message: messages.field.unknown }],
  },
  {
    name: 'a time in the past, in a zone',
    status: 422,
    code: 'invalid_input',
    fields: { published: '', scheduledAt: '2020-01-01T09:00', timeZone: 'Asia/Kabul' },
    issues: [{ path: 'scheduledAt', message: blogMessages.schedule.past }],
  },
  {
    name: 'an unknown time zone',
    status: 422,
    code: 'invalid_input',
    fields: { published: '', scheduledAt: '2026-04-01T09:00', timeZone: 'Mars' },
    issues: [{ path: 'scheduledAt', message: blogMessages.schedule.invalid }],
  },
  {
    name: 'a slug of another post',
    status: 409,
    code: 'slug_taken',
    fields: { slug: 'other' },
    issues: [{ path: 'slug', message: blogMessages.slugTaken }],
  },
  {
    name: 'too many publications in an hour',
    status: 429,
    code: 'too_many_requests',
    quotas: { publishesPerHour: 1 },
    headers: { 'Retry-After': '3600' },
  },
  { name: 'too much text', status: 403, code: 'quota_exceeded', quotas: { textBytes: 100 } },
  {
    name: 'a busy renderer',
    status: 503,
    code: 'busy',
    before: ({ testApp }) =>
      vi.spyOn(testApp.deps.bodies, 'render').mockResolvedValue(renderingBusy),
    headers: { 'Retry-After': '5' },
  },
  {
    name: 'full storage',
    status: 503,
    code: 'busy',
    fields: { content: 'Full. '.repeat(5_000) },
    before: ({ testApp }) => fillStorage(testApp.deps.db),
    headers: { 'Retry-After': '15' },
  },
  {
    name: 'an error of the server',
    status: 500,
    code: 'internal',
    before: ({ testApp }) =>
      vi.spyOn(testApp.deps.bodies, 'render').mockRejectedValue(new Error('broken')),
  },
  {
    name: 'a session that has ended',
    status: 401,
    code: 'not_signed_in',
    before: ({ testApp }) => testApp.deps.db.delete(sessions).run(),
    hasPost: false,
  },
  {
    name: 'a session that ends while the text is rendered',
    status: 401,
    code: 'not_signed_in',
    before: ({ testApp: { deps } }) => {
      const { render } = deps.bodies;
      vi.spyOn(deps.bodies, 'render').mockImplementation((...of) => {
        deps.db.delete(sessions).run();
        return render(...of);
      });
    },
    hasPost: false,
  },
  {
    name: 'an account that is not allowed to write',
    status: 403,
    code: 'not_allowed',
    before: ({ testApp }) => {
      testApp.deps.settings.authoring = 'team';
    },
    hasPost: false,
  },
  {
    name: 'a post of another author',
    status: 403,
    code: 'not_allowed',
    detail: blogMessages.notYours,
    before: ({ testApp, post }) =>
      testApp.deps.db
        .update(blogPosts)
        .set({ authorId: null, published: true })
        .where(eq(blogPosts.id, post.id)),
    action: '/api/posts',
    hasPost: false,
    ofNewPost: false,
  },
  {
    name: 'a post that was deleted in the meantime',
    status: 404,
    code: 'not_found',
    before: ({ ann, post }) => ann.send('DELETE', `/api/posts/${post.id}`, {}),
    action: '/api/posts',
    hasPost: false,
    ofNewPost: false,
  },
];

async function situation(quotas: Refusal['quotas']): Promise<Situation> {
  const settings = { quotas: { posts: 100, textBytes: 1e9, publishesPerHour: 100, ...quotas } };
  const testApp = await makeTestApp({ publishes: true, settings });
  const ann = await signedInBrowser(testApp);
  const create = async (slug: string, published = false) => {
    const response = await ann.post('/api/posts', { title: 'T', content: 'x', slug, published });
    return ((await response.json()) as PostSaved).post;
  };
  await create('other', true);
  return { testApp, ann, post: await create('mine') };
}

describe.each([
  { saved: 'a new post', isNew: true },
  { saved: 'a change', isNew: false },
])('$saved', ({ isNew }) => {
  test.each(refusals.filter(({ ofNewPost }) => !isNew || ofNewPost !== false))(
    '$name: the response has the typed text',
    async ({ status, code, detail, issues = [], quotas, before, ...more }) => {
      const all = await situation(quotas);
      await using testApp = all.testApp;
      const { ann, post } = all;
      await before?.(all);
      const rows = await settledRows(testApp);
      const fields = { ...typed, ...more.fields, ...(!isNew && { baseVersion: '1' }) };
      const path = isNew ? '/api/posts' : `/api/posts/${post.id}`;

      const response = await ann.submit(path, fields);

      expect(response.status).toBe(status);
      for (const [name, value] of Object.entries(more.headers ?? {})) {
        expect(response.headers.get(name)).toBe(value);
      }
      const page = await refusedPage(response);
      const { title, slug, coverImage, tags, content } = fields;
      const { scheduledAt, scheduledBefore, timeZone } = fields;
      expect(page.refused).toMatchObject({
        action: more.action ?? path,
        fields: {
          ...returned,
          ...{ title, slug, coverImage, tags, content: content.replaceAll('\r', '') },
          published: fields.published === 'true',
        },
        schedule: { scheduledAt, scheduledBefore, timeZone },
        baseVersion: isNew || more.action ? null : '1',
        draft: null,
        problem: { code, issues, detail: detail ?? expect.stringMatching(/\w/) },
      });
      expect(page.post?.id).toBe(isNew || more.hasPost === false ? undefined : post.id);
      vi.restoreAllMocks();
      const changed = code === 'not_signed_in' ? ['sessions'] : [];
      const after = await settledRows(testApp);
      for (const table of Object.keys(rows).filter((name) => !changed.includes(name))) {
        expect(after[table as keyof typeof after]).toEqual(rows[table as keyof typeof rows]);
      }
    },
  );
});

test('saves the text that the page sends again, even after a sign-in in another tab', async () => {
  const { testApp, ann, post } = await situation({});
  await using _ = testApp;
  testApp.deps.db.delete(sessions).run();
  const path = `/api/posts/${post.id}`;
  const continued = { draft: post.id, draftUpdatedAt: '2026-01-01T00:00:00.000Z' };
  const ended = await ann.submit(path, { ...typed, ...continued, baseVersion: '1' });
  expect(ended.status).toBe(401);
  // With the cookie, scripts of the sign-in page would redirect away from it.
  expect(ann.cookies.has('signed_in')).toBe(false);
  const { refused } = await refusedPage(ended);
  expect(refused.draft).toEqual({ id: post.id, updatedAt: continued.draftUpdatedAt });

  await ann.post('/api/auth/sign-in', { email: 'ann@example.com', password: 'correct horse' });
  const saved = await ann.submit(refused.action, { ...typed, baseVersion: '1' });
  expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/blog/typed']);
});

test('saves the text of a deleted post as a new post', async () => {
  const { testApp, ann, post } = await situation({});
  await using _ = testApp;
  await ann.send('DELETE', `/api/posts/${post.id}`, {});
  const gone = await ann.submit(`/api/posts/${post.id}`, { ...typed, baseVersion: '1' });
  const { refused } = await refusedPage(gone);
  const saved = await ann.submit(refused.action, typed);
  expect(saved.headers.get('Location')).toBe('/blog/typed');
});

test('returns a conflicting text even if it cannot be stored as a draft', async () => {
  const { testApp, ann, post } = await situation({});
  await using _ = testApp;
  for (let number = 0; number < 50; number += 1) {
    await ann.send('PUT', `/api/posts/drafts/${randomUUID()}`, { content: 'Text' });
  }
  await ann.send('PATCH', `/api/posts/${post.id}`, { content: 'Theirs' });

  const path = `/api/posts/${post.id}`;
  const response = await ann.submit(path, { ...typed, baseVersion: '1' });

  expect(response.status).toBe(409);
  const { refused } = await refusedPage(response);
  expect(refused).toMatchObject({
    action: path,
    fields: returned,
    // Unchanged, so that the next save conflicts, too.
    baseVersion: '1',
    problem: { code: 'edit_conflict', detail: expect.stringContaining('were not saved') },
  });
});

test('redirects to the editor when the publish button is refused', async () => {
  const { testApp, ann, post } = await situation({ publishesPerHour: 1 });
  await using _ = testApp;
  const refused = await ann.submit(`/api/posts/${post.id}`, { published: 'true' });
  expect([refused.status, refused.headers.get('Location')]).toEqual([
    303,
    '/blog/editor/mine#failed',
  ]);
});

test('redirects to the editor when the page cannot be rendered', async () => {
  const { testApp, ann } = await situation({});
  await using _ = testApp;
  vi.spyOn(testApp.deps.renderer, 'render').mockRejectedValue(new Error('broken'));
  const refused = await ann.submit('/api/posts', { ...typed, title: '' });
  vi.restoreAllMocks();
  expect([refused.status, refused.headers.get('Location')]).toEqual([303, '/blog/editor#failed']);
});

const tooLong = [
  { name: 'twice the allowed length', fields: { content: 'x'.repeat(2 * limits.content) } },
  { name: 'the allowed length, all escaped', fields: { content: '"'.repeat(limits.content) } },
];

test.each(tooLong)('returns a refused text of $name', async ({ fields }) => {
  const { testApp, ann } = await situation({});
  await using _ = testApp;
  for (const browser of [ann, testApp.browser()]) {
    const response = await browser.submit('/api/posts', { ...typed, title: '', ...fields });
    const { refused } = await refusedPage(response);
    expect(refused.fields.content).toBe(fields.content);
  }
});

const farTooLong = [
  { name: 'a text of 7 times the length', fields: { content: 'x'.repeat(7 * limits.content) } },
  {
    name: 'a text of twice the length, escaped',
    fields: { content: '"'.repeat(2 * limits.content) },
  },
  { name: 'a field name of that length', fields: { ['<'.repeat(2 * limits.content)]: '' } },
];

test.each(farTooLong)('rejects $name with 413', async ({ fields }) => {
  const { testApp, ann } = await situation({});
  await using _ = testApp;
  const rows = await settledRows(testApp);
  for (const browser of [ann, testApp.browser()]) {
    const response = await browser.submit('/api/posts', { ...typed, ...fields });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('"kind":"unreceivedForm","reason":"too-large"');
  }
  expect(await settledRows(testApp)).toEqual(rows);
});

test('saves the longest text that the form accepts', async () => {
  const { testApp, ann } = await situation({});
  await using _ = testApp;
  const content = '水道管 火災 '.repeat(limits.content / 7).padEnd(limits.content, '水道');
  const saved = await ann.submit('/api/posts', { ...typed, content });
  expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/blog/typed']);
  const post = testApp.deps.db.select().from(blogPosts).where(eq(blogPosts.slug, 'typed')).get();
  expect(post?.content).toBe(content);
});
