import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { users } from '@app/db/schema/accounts';
import { blogPostOldSlugs, blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { publishLog } from '@app/db/schema/publishing';
import { testOfOtherCommits } from '@app/db/testing/tests-by-kind';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeDataDir, startWriting } from '../../testing/blog.ts';
import { cliJson, cliOutput, runCli } from '../../testing/cli.ts';
import { publishedPages, redirectOf, wantedPages } from '../../testing/site.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { postsOf, writeSource } from '../../testing/transfer.ts';
import { until } from '../../testing/until.ts';

test('skips posts that a save would refuse, and continues', async () => {
  await using app = await makeTestApp();
  await startWriting(app);
  const { write: save } = await startWriting(app);
  await save('Taken');
  const file = (title: string, more: string, content = 'Text') =>
    `---\ntitle: ${title}\ndate: 2020-01-01\n${more}\n---\n${content}`;
  const path = writeSource({
    'a-long.md': file('Long', '', 'word '.repeat(50_000)),
    'b-deep.md': file('Deep', '', `${'> '.repeat(30)}a`),
    'c-complex.md': file('Complex', '', '*a **b '.repeat(900)),
    'd-taken.md': file('Taken', 'slug: taken'),
    'e-reserved.md': file('Reserved', 'slug: editor'),
    'f-title.md': file('a'.repeat(300), ''),
    'g-author.md': file('Author', 'author: Ann@Example.com'),
  });
  const report = await cliOutput(app, 'posts', 'import', path, '--author', 'ann@example.com');
  expect(report).toContain('a-long.md: Skipped: ');
  expect(report).toContain('b-deep.md: Skipped: Lists and quotes can be nested');
  expect(report).toContain('d-taken.md: The slug "taken" is taken, so "taken-2" is used.\n');
  expect(report).toContain('e-reserved.md: The slug "editor" is not valid, so "');
  expect(report).toContain('f-title.md: Its title was cut to 200 characters.\n');
  expect(report).toMatch(/^Attributed to ann@example\.com: \d posts without an author\.$/m);
  expect(postsOf(app).every(({ authorId }) => authorId === 'ann')).toBe(true);
});

test('a dry run changes nothing, and reports the same as an import', async () => {
  await using app = await makeTestApp();
  const path = writeSource(
    Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `${index}.md`,
        `---\ntitle: Post\nslug: post\ndate: 2020-01-01\n---\nText ${index}`,
      ]),
    ),
  );
  const dry = await cliOutput(app, 'posts', 'import', path, '--dry-run');
  expect(postsOf(app)).toEqual([]);
  expect(app.deps.db.select().from(publishLog).all()).toEqual([]);
  const real = await cliOutput(app, 'posts', 'import', path);
  expect(dry.replace('Would import', 'Imported')).toBe(
    real.replace('A running server publishes them now; otherwise, the next start does.\n', ''),
  );
  expect(postsOf(app)).toHaveLength(60);
});

test('two imports at once write each post once', async () => {
  await using app = await makeTestApp();
  const files = Array.from({ length: 60 }, (_, index) => [
    `${1_000 + index}.md`,
    `---\ntitle: Post ${index}\ndate: 2020-01-01\n---\nText`,
  ]);
  const path = writeSource(Object.fromEntries(files));
  const run = () => cliJson(app, 'posts', 'import', path);
  const reports = (await Promise.all([run(), run()])) as { published: number; existing: number }[];
  expect(postsOf(app)).toHaveLength(60);
  const sumOf = (name: 'published' | 'existing') =>
    reports.reduce((sum, report) => sum + report[name], 0);
  expect([sumOf('published'), sumOf('existing')]).toEqual([60, 60]);
});

test('an import continues after an interruption without duplicates', async () => {
  await using app = await makeTestApp();
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `${1_000 + index}.md`,
      `---\ntitle: Post ${index}\ndate: 2020-01-01\n---\nText`,
    ]),
  );
  const path = writeSource(files);
  const part = join(makeDataDir(), 'source');
  cpSync(path, part, { recursive: true });
  for (const name of Object.keys(files).slice(30)) rmSync(join(part, name));
  await cliOutput(app, 'posts', 'import', part);
  const before = postsOf(app);
  app.deps.db
    .update(blogPosts)
    .set({ title: 'Edited since' })
    .where(eq(blogPosts.slug, '1007'))
    .run();

  const report = await cliOutput(app, 'posts', 'import', path);
  expect(report).toContain(
    'Imported 30 posts (30 published, 0 drafts).\n30 posts had been imported before.\n',
  );
  expect(postsOf(app)).toHaveLength(60);
  expect(before).toHaveLength(30);
  expect(postsOf(app).filter(({ title }) => title === 'Edited since')).toHaveLength(1);
  expect(await cliOutput(app, 'posts', 'import', path)).toContain('Imported 0 posts');
});

test('a dry run with --fetch sends no requests', async () => {
  await using app = await makeTestApp();
  const path = writeSource({ 'a.md': '---\ntitle: A\n---\n![](http://127.0.0.1/a.png)' });
  const run = (...options: string[]) =>
    cliOutput(app, 'posts', 'import', path, '--fetch', ...options);
  expect(await run('--dry-run')).not.toContain('stays on the web');
  expect(await run()).toContain('The picture http://127.0.0.1/a.png stays on the web');
});

testOfOtherCommits(
  'imported old slugs redirect, unless they already redirect to other posts',
  async () => {
    await using app = await makeTestApp({ publishes: true });
    const file = (title: string, aliases: string) =>
      `---\ntitle: ${title}\ndate: 2020-01-01\naliases: ${aliases}\n---\nText`;
    const path = writeSource({
      'a.md': file('A', '[/blog/shared/, /2019/a, /blog/No slug, /blog/was-a]'),
      'b.md': file('B', '/blog/shared'),
    });
    await cliOutput(app, 'posts', 'import', path);
    const [a] = postsOf(app);
    expect(app.deps.db.select().from(blogPostOldSlugs).all()).toMatchObject([
      { slug: 'shared', postId: a?.id },
      { slug: 'was-a', postId: a?.id },
    ]);
    const { siteFiles, publisher } = app.deps;
    await until(async () => (await siteFiles.load('/blog/a')) !== null);
    await until(() => publisher.depth() === 0);
    expect(await redirectOf(app, '/blog/was-a')).toBe('/blog/a');
    expect(await publishedPages(app)).toEqual(await wantedPages(app));
  },
);

testOfOtherCommits('an import writes revisions, and jobs that publish the posts', async () => {
  await using app = await makeTestApp({ publishes: true });
  const path = writeSource({ 'a.md': '---\ntitle: A\ndate: 2020-01-01\n---\nText' });
  await cliOutput(app, 'posts', 'import', path);
  const [post] = postsOf(app);
  expect(app.deps.db.select().from(blogPostRevisions).all()).toMatchObject([
    { postId: post?.id, version: 1, title: 'A', createdAt: Date.parse('2020-01-01') },
  ]);
  const { siteFiles, publisher } = app.deps;
  await until(async () => (await siteFiles.load('/blog/a')) !== null);
  await until(() => publisher.depth() === 0);
});

test.each([
  ['missing.json', 'does not exist'],
  ['text.txt', 'is neither a Ghost export'],
  ['other.json', 'is JSON, but not a Ghost export'],
  ['broken.json', 'is not valid JSON'],
  ['other.xml', 'is XML, but not a WordPress export'],
  ['broken.xml', 'is not valid XML'],
  ['entity.xml', 'is not valid XML'],
  ['empty', 'has no Markdown files'],
])('an import rejects %s', async (name, message) => {
  await using app = await makeTestApp();
  const path = writeSource({
    'text.txt': 'Text',
    'other.json': { a: 1 },
    'broken.json': '{"a',
    'other.xml': '<a><b/></a>',
    'broken.xml': '<rss><channel><item></rss>',
    'entity.xml': '<!DOCTYPE rss [<!ENTITY a "b">]><rss><channel><item>&a;</item></channel></rss>',
    'empty/a.txt': '',
  });
  const { exitCode, err } = await runCli(app, 'posts', 'import', join(path, name));
  expect(exitCode).toBe(1);
  expect(err).toContain(message);
});

test('an import rejects an author without an account', async () => {
  await using app = await makeTestApp();
  app.deps.db.insert(users).values({ id: 'a', email: 'a@example.com', createdAt: 0 }).run();
  const { err } = await runCli(
    app,
    'posts',
    'import',
    writeSource({}),
    '--author',
    'b@example.com',
  );
  expect(err).toBe('There is no account with the email b@example.com.\n');
});
