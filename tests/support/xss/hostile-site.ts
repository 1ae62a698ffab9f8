import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formatPost } from '@app/api/src/blog/transfer/post-file.ts';
import { slugOf } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { APIRequestContext, BrowserContextOptions } from 'playwright/test';
import { addUser, signInAs } from '../account.ts';
import { isFullRun } from '../full-run.ts';
import { untilPublished } from '../queues.ts';
import { copyPublishedSite, SiteProcess, temporaryFolder } from '../site-process.ts';
import { test as base, expect } from '../site-test.ts';
import {
  inGroups,
  markdownBody,
  numbersByBody,
  onOneLine,
  payloads,
  payloadsByTitle,
  tagsByPost,
} from './payloads.ts';
import { writeFolder, writeGhost, writeMarkdown, writeWordPress } from './sources.ts';

export { expect };

export interface HostileSite {
  /** Cookies of the posts' author. */
  author: Exclude<BrowserContextOptions['storageState'], undefined>;
  /** Published posts with payloads, by number, everywhere in their text. */
  bodies: { slug: string; numbers: number[]; tags: string[] }[];
  /** A draft that was saved twice, with different payloads. */
  changed: { id: string; slug: string };
  /** Posts with unsaved text that conflicts with what was saved, by number. */
  conflicts: { slug: string; theirs: number[]; yours: number[] }[];
  /** Titles of deleted posts. */
  trashed: string[];
  /** Published posts with payloads as title, excerpt and part of the cover's URL. */
  titles: { slug: string; title: string; excerpt: string }[];
  /** Pages of tags whose names are payloads. */
  tagPages: string[];
  /** Pages of tags that show the posts of `titles` as cards. */
  groups: string[];
  /** Drafts with payloads as tags. */
  tags: { slug: string; names: string[] }[];
  /** Drafts from exports with HTML. */
  html: { slug: string; payload: string }[];
  /** Paths of drafts with an unquoted payload in their YAML front matter. */
  unquoted: string[];
}

const program = fileURLToPath(new URL('../../../apps/api/dist/cli.js', import.meta.url));
const run = promisify(execFile);

const email = 'ann@example.com';

async function cli(dataDir: string, ...args: string[]): Promise<string> {
  const options = { env: { DATA_DIR: dataDir }, maxBuffer: 10_000_000 };
  const { stdout } = await run(process.execPath, [program, ...args], options);
  return stdout;
}

/** Repeats the import while a text exceeds its time limit, as happens on a busy machine. */
async function importPosts(dataDir: string, path: string): Promise<string> {
  for (;;) {
    const report = await cli(dataDir, 'posts', 'import', path, '--author', email);
    if (!/takes too long|too complex/.test(report)) return report;
  }
}

function createApi(request: APIRequestContext, origin: string) {
  return async (method: string, path: string, data?: object) => {
    const headers = { Origin: origin };
    const reply = await request.fetch(path, { method, headers, ...(data && { data }) });
    expect(reply.ok(), await reply.text()).toBe(true);
    return reply.json();
  };
}
type Api = ReturnType<typeof createApi>;

const textsOf = (numbers: readonly number[]) => {
  const all = numbers.map((number) => payloads[number]).join(' ');
  return { title: all.slice(0, limits.title), excerpt: all.slice(0, limits.excerpt) };
};

/** Writes an export of this site, because its texts are imported unchanged. */
function writeBodies(path: string): HostileSite['bodies'] {
  const folder = writeFolder(path);
  const tags = tagsByPost();
  const time = Date.parse('2025-04-01T00:00:00Z');
  return numbersByBody.map((numbers, index) => {
    // Each tag of a published post has a page.
    const names = tags[index]?.slice(0, 2) ?? [];
    const slug = `body-${index}`;
    const post = formatPost({
      ...{ ...textsOf(numbers), slug, id: randomUUID(), content: markdownBody(numbers) },
      ...{
        coverImage: 'https://cover.example/',
        tags: names.map((name) => ({ name })),
        published: true,
      },
      ...{ authorEmail: email, createdAt: time, updatedAt: time },
      ...{ oldSlugs: [], scheduledAt: null },
    });
    writeFileSync(join(folder, `${slug}.md`), post);
    return { slug, numbers, tags: names };
  });
}

async function saveTwice(api: Api): Promise<HostileSite['changed']> {
  const [first = [], second = []] = numbersByBody;
  const contentOf = (numbers: readonly number[]) =>
    numbers.map((number) => payloads[number]).join('\n\n');
  const before = { ...textsOf(first), content: contentOf(first) };
  const { post } = await api('POST', '/api/posts', { ...before, slug: 'changed' });
  const after = { ...textsOf(second), content: contentOf(second) };
  await api('PATCH', `/api/posts/${post.id}`, after);
  return post;
}

/** The saved and the unsaved text differ in each field, and in each paragraph of the content. */
async function makeConflicts(api: Api): Promise<HostileSite['conflicts']> {
  const conflicts: HostileSite['conflicts'] = [];
  const all = isFullRun ? numbersByBody : numbersByBody.slice(0, 1);
  const contentOf = (paragraphs: readonly string[]) =>
    paragraphs.map((paragraph, index) => `paragraph ${index}\n\n${paragraph}`).join('\n\n');
  const textOf = (numbers: readonly number[]) => ({
    ...textsOf(numbers),
    content: contentOf(numbers.map((number) => onOneLine(payloads[number] ?? ''))),
  });
  for (const [index, theirs] of all.entries()) {
    const slug = `conflict-${index}`;
    const yours = (numbersByBody[(index + 1) % numbersByBody.length] ?? []).slice(0, theirs.length);
    const [tags = [], otherTags = []] = tagsByPost();
    const content = contentOf(theirs.map(() => 'As it was.'));
    const { post } = await api('POST', '/api/posts', { title: 'As it was', slug, content });
    const coverImage = 'https://cover.example/theirs';
    await api('PATCH', `/api/posts/${post.id}`, { ...textOf(theirs), tags, coverImage });
    await api('PUT', `/api/posts/drafts/${post.id}`, {
      ...{ ...textOf(yours), slug, tags: otherTags.join(', '), baseVersion: 1 },
      coverImage: `https://cover.example/${payloads[index]}`,
    });
    conflicts.push({ slug, theirs: [...theirs], yours });
  }
  return conflicts;
}

async function deletePosts(api: Api): Promise<string[]> {
  const titles = payloadsByTitle().slice(0, 8);
  for (const some of titles) {
    const { post } = await api('POST', '/api/posts', { title: some.join(' '), content: 'a' });
    await api('DELETE', `/api/posts/${post.id}`);
  }
  return titles.map((some) => onOneLine(some.join(' ')));
}

const cards = 12;

function writeFrontMatter(
  path: string,
): Pick<HostileSite, 'titles' | 'tags' | 'groups' | 'unquoted'> {
  const folder = writeFolder(path);
  const ofTitles = isFullRun ? payloads.map((payload) => [payload]) : payloadsByTitle();
  const titles = ofTitles.map((some, index) => {
    const slug = `title-${index}`;
    const title = some.join(' ');
    const values = {
      ...{ title, slug, date: '2025-03-01', description: title },
      cover: `https://cover.example/${title}`,
      tags: [`Group ${Math.floor(index / cards)}`],
    };
    writeMarkdown(folder, slug, values, [slug, ...some].join('\n\n'));
    return { slug, title: title.trim().slice(0, limits.title), excerpt: title };
  });
  const groups = inGroups(titles, cards).map((_, index) => `/blog/tag/group-${index}`);
  const tags = tagsByPost().map((names, index) => {
    const slug = `tags-${index}`;
    const values = { title: slug, slug, date: '2025-02-01', tags: names, draft: true };
    writeMarkdown(folder, slug, values, slug);
    return { slug, names };
  });
  const unquoted = payloads.map((payload, number) => {
    const slug = `unquoted-${number}`;
    const head = `draft: true\nslug: ${slug}\ndate: 2025-02-01\ntitle: ${payload}`;
    writeFileSync(join(folder, `${slug}.md`), `---\n${head}\n---\n\n${slug}\n`);
    return `/blog/${slug}`;
  });
  return { titles, groups, tags, unquoted };
}

/** In short runs payloads alternate between the formats. */
function writeExports(folder: string): { html: HostileSite['html']; files: string[] } {
  const [ghost, wordpress] = ['ghost', 'wordpress'].map((name, remainder) =>
    payloads.flatMap((payload, number) =>
      isFullRun || number % 2 === remainder ? [{ slug: `${name}-${number}`, payload }] : [],
    ),
  );
  const [ghostFile, wordpressFile] = [join(folder, 'ghost.json'), join(folder, 'wordpress.xml')];
  writeGhost(ghostFile, ghost ?? []);
  writeWordPress(wordpressFile, wordpress ?? []);
  return { html: [...(ghost ?? []), ...(wordpress ?? [])], files: [ghostFile, wordpressFile] };
}

/** Writes and imports everything that the server publishes when it starts. */
async function importAll(dataDir: string) {
  using folder = temporaryFolder();
  const [markdown, own] = [join(folder.path, 'markdown'), join(folder.path, 'own')];
  const frontMatter = writeFrontMatter(markdown);
  const { html, files } = writeExports(folder.path);
  const bodies = writeBodies(own);
  const report = await importPosts(dataDir, markdown);
  for (const path of [own, ...files]) {
    expect(await importPosts(dataDir, path)).not.toContain('Skipped');
  }
  // The front matter is not YAML.
  const isUnread = (path: string) => report.includes(`${basename(path)}.md: Its front matter`);
  const unquoted = frontMatter.unquoted.filter((path) => !isUnread(path));
  expect(unquoted.length).toBeGreaterThan(frontMatter.unquoted.length / 3);
  expect(report).not.toMatch(/(?:title|tags)-\d+\.md: Skipped/);
  const tagPages = bodies.flatMap(({ tags }) => tags.map((tag) => `/blog/tag/${slugOf(tag)}`));
  return { ...frontMatter, unquoted, bodies, html, tagPages };
}

interface WorkerFixtures {
  imported: Awaited<ReturnType<typeof importAll>> & { dataDir: string };
  hostile: HostileSite;
}

const timeout = 600_000;

export const test = base.extend<object, WorkerFixtures>({
  imported: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      using folder = temporaryFolder();
      await copyPublishedSite(folder.path);
      await addUser({ dataDir: folder.path }, email);
      // Staff have no publishing quota.
      await cli(folder.path, 'staff', 'add', email);
      await use({ ...(await importAll(folder.path)), dataDir: folder.path });
    },
    { scope: 'worker', timeout },
  ],

  site: [
    async ({ imported }, use) => {
      await using site = await SiteProcess.start({ dataDir: imported.dataDir });
      await use(site);
      expect(await site.stop()).toMatchObject({ code: 0, stderr: '' });
    },
    { scope: 'worker', timeout },
  ],

  hostile: [
    async ({ site, browser, imported }, use) => {
      const context = await browser.newContext({ baseURL: site.url });
      await signInAs(await context.newPage(), site, email);
      const api = createApi(context.request, site.url);
      await untilPublished(site);
      const changed = await saveTwice(api);
      const conflicts = await makeConflicts(api);
      const trashed = await deletePosts(api);
      const author = await context.storageState();
      await context.close();
      await use({ ...imported, author, changed, conflicts, trashed });
    },
    { scope: 'worker', timeout },
  ],
});
