import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DraftLinkCreated } from '@app/contract/blog/draft-link-replies';
import type { Problem } from '@app/contract/problems';
import { profiles, sessions, users } from '@app/db/schema/accounts';
import { rateLimits } from '@app/db/schema/server';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { exampleDraft } from '../blog/drafts/routes.ts';
import { operationsOf } from '../docs/document.ts';
import { documentOf } from '../testing/documented-responses.ts';
import { addPicture, fileForm, savePost, smallPicture } from '../testing/pictures.ts';
import { makeTestApp, type TestBrowser } from '../testing/test-app.ts';

const documentation = fileURLToPath(new URL('../../../../docs/accounts.md', import.meta.url));

/**
 * Towards an author's contents: another member, staff, the author after the session has ended, and
 * a visitor who has opened the link to the draft.
 */
const roles = ['Visitor', 'Member', 'Author', 'Staff', 'Ended session', 'Link holder'] as const;
type Role = (typeof roles)[number];

const image = await smallPicture();
const testApp = await makeTestApp();
afterAll(() => testApp[Symbol.asyncDispose]());

/** In the text of drafts, and in the first version of posts that were published later. */
const secret = 'Not for everyone';

interface Row {
  method: string;
  path: string;
  /** The state of the author's post, for rows that have one. */
  post?: 'draft' | 'published' | 'deleted';
  body?: object;
  isMultipart?: boolean;
}

const needsPost = (path: string): boolean =>
  /\{(?:post|slug)\}|presence$|^\/blog\/draft\//.test(path);

/** Posts that an endpoint is about, so that it could succeed. */
function postsFor({ method, path }: { method: string; path: string }): NonNullable<Row['post']>[] {
  if (/\/(?:restore|delete-forever)$/.test(path) && !path.includes('revisions')) return ['deleted'];
  const isLink = path.includes('draft-links') || path.startsWith('/blog/draft/');
  return isLink && method !== 'GET' ? ['draft'] : ['draft', 'published'];
}

/** Personal pages are not in the OpenAPI document. */
const pages = [...new Set(testApp.app.routes.map(({ method, path }) => `${method} ${path}`))]
  .filter((name) => /^GET \/(?!api\/|uploads\/|pictures\/)[^*]*$/.test(name))
  .map((name) => ({
    method: 'GET',
    path: name
      .slice(4)
      .replace(/:file\{.*/, '{slug}.md')
      .replace(/:(\w+)/g, '{$1}'),
  }));

const rows: Row[] = [
  ...operationsOf(await documentOf(testApp.app)).map(({ method, path, operation }) => {
    const { 'application/json': json, 'multipart/form-data': multipart } =
      operation.requestBody?.content ?? {};
    const row = { method, path, isMultipart: multipart !== undefined };
    return json?.example ? { ...row, body: json.example } : row;
  }),
  ...pages,
].flatMap((row) => (needsPost(row.path) ? postsFor(row).map((post) => ({ ...row, post })) : [row]));

let count = 0;

/** A signed-in account whose rows exist, without the requests of a sign-up. */
async function makeAccount(role: 'member' | 'staff') {
  count += 1;
  const { db, clock, passwords, sessions: store } = testApp.deps;
  const userId = `user-${count}`;
  const email = `${userId}@example.com`;
  const now = clock.now();
  passwordHash ??= await passwords.hash('correct horse');
  db.insert(users)
    .values({ id: userId, email, role, passwordHash, emailConfirmedAt: now, createdAt: now })
    .run();
  db.insert(profiles)
    .values({ id: userId, fullName: `Person ${letters(count)}`, updatedAt: now })
    .run();
  const session = await store.start({ userId }, { device: 'test' });
  if (!session) throw new Error('the session did not begin');
  const browser = testApp.browser();
  browser.cookies.set(store.cookieName, session.sessionId);
  return { userId, email, browser, publicId: session.publicId };
}

let passwordHash: string | undefined;

const letters = (n: number): string =>
  String(n).replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));

type Account = Awaited<ReturnType<typeof makeAccount>>;

/** What an author has, and the values of path parameters that name it. */
async function makeContents(author: Account, row: Row): Promise<Record<string, string>> {
  const { browser, userId } = author;
  const values: Record<string, string> = {
    ...{ userId, name: 'avatar-1.webp', version: '1', id: author.publicId },
    ...{ post: '', slug: '', token: 'unknown', picture: '' },
  };
  if (row.path.includes('{picture}')) {
    const { id, path } = await addPicture(browser, image);
    values['picture'] = id;
    values['name'] = path.split('/').at(-1) ?? '';
  }
  if (row.path.includes('/drafts/{id}')) {
    values['id'] = randomUUID();
    await expectOk(browser.send('PUT', `/api/posts/drafts/${values['id']}`, exampleDraft));
  }
  if (row.path === '/api/authors/{id}') values['id'] = userId;
  if (!row.post) return values;
  const slug = `post-${count}`;
  const published = row.post === 'published';
  const { id } = await savePost(browser, { title: 'Title', content: secret, slug });
  if (published) {
    const change = { content: 'Text', published };
    await expectOk(browser.send('PATCH', `/api/posts/${id}`, change));
  }
  values['post'] = row.method === 'GET' && row.path === '/api/posts/{post}' ? slug : id;
  values['slug'] = slug;
  if (/\{token\}|draft-links\/\{id\}/.test(row.path) && !published) {
    const link = { lifetime: 'P7D', pinned: false };
    const created = await expectOk(browser.post(`/api/posts/${id}/draft-links`, link));
    const reply = (await created.json()) as DraftLinkCreated;
    values['id'] = reply.link.id;
    values['token'] = reply.url.split('/').at(-1) ?? '';
  }
  if (row.post === 'deleted') await expectOk(browser.send('DELETE', `/api/posts/${id}`, {}));
  return values;
}

async function expectOk(sent: Promise<Response>): Promise<Response> {
  const response = await sent;
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
}

/** The browser of a user in this role, towards the author's contents. */
async function browserOf(
  role: Role,
  author: Account,
  { token = '' }: Record<string, string>,
): Promise<TestBrowser> {
  switch (role) {
    case 'Author':
      return author.browser;
    case 'Member':
      return (await makeAccount('member')).browser;
    case 'Staff':
      return (await makeAccount('staff')).browser;
    case 'Visitor':
      return testApp.browser();
    case 'Ended session':
      testApp.deps.db.delete(sessions).where(eq(sessions.userId, author.userId)).run();
      return author.browser;
    case 'Link holder': {
      const browser = testApp.browser();
      await browser.get(`/blog/draft/${token}`);
      return browser;
    }
  }
}

/**
 * - `yes`: not refused because of the role
 * - `sign in`: 401, or a redirect to the sign-in page
 * - `no`: 403 `not_allowed`
 * - `404`: as if it did not exist
 */
type Outcome = 'yes' | 'sign in' | 'no' | '404';

async function outcomeOf(row: Row, role: Role): Promise<Outcome> {
  testApp.deps.db.delete(rateLimits).run();
  const author = await makeAccount('member');
  const values = await makeContents(author, row);
  const browser = await browserOf(role, author, values);
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const response = await browser.request(row.method, path, requestOf(row, values));
  const { status } = response;
  const text = await response.text();
  const mayRead =
    role === 'Author' || role === 'Staff' || (row.path.startsWith('/blog/draft/') && row.post);
  if (!mayRead) expect(text, `${role}: ${row.method} ${path}`).not.toContain(secret);
  if (status === 404) return '404';
  if (response.headers.get('Location')?.startsWith('/auth?next=')) return 'sign in';
  if (status < 400) return 'yes';
  const { code } = JSON.parse(text) as Problem;
  if (code === 'not_signed_in') return 'sign in';
  if (code === 'not_allowed') return 'no';
  expect(unrelatedToRoles, `${role}: ${row.method} ${path}`).toContain(code);
  return 'yes';
}

/** Refusals of endpoints that everybody may call. Others must succeed for some role. */
const unrelatedToRoles = [
  'dead_link',
  'not_configured',
  'busy',
  'invalid_credentials',
  'email_not_confirmed',
];

function requestOf({ isMultipart, body }: Row, { post }: Record<string, string>): RequestInit {
  if (isMultipart) return { body: fileForm(image) };
  if (!body) return {};
  const own = {
    ...body,
    ...('post' in body && { post }),
    ...('slug' in body && { slug: `new-${count}` }),
    ...('username' in body && { username: `person-${letters(count)}` }),
    ...('fullName' in body && { fullName: `Person ${letters(count)}` }),
  };
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(own) };
}

const begin = '<!-- Generated by server/access.test.ts: update it with vitest -u. -->\n';
const end = '<!-- End of the generated table. -->';

test('docs/accounts.md lists what each role may do at each endpoint', async () => {
  const table: string[][] = [['Endpoint', ...roles]];
  for (const row of rows) {
    const outcomes: string[] = [];
    for (const role of roles) outcomes.push(await outcomeOf(row, role));
    const about = row.post ? ` (${row.post})` : '';
    table.push([`\`${row.method} ${row.path}\`${about}`, ...outcomes]);
  }

  const text = readFileSync(documentation, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  await expect(
    [before, begin, '\n', markdownTable(table), '\n', end, after].join(''),
  ).toMatchFileSnapshot(documentation);
});

function markdownTable(table: string[][]): string {
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const [head = '', ...lines] = table.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return [head, rule, ...lines].join('');
}
