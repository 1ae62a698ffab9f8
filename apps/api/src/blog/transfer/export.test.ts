import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pictureFiles } from '@app/contract/blog/pictures';
import { users } from '@app/db/schema/accounts';
import { pictures } from '@app/db/schema/pictures';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeDataDir, startWriting } from '../../testing/blog.ts';
import { cliJson, cliOutput, runCli } from '../../testing/cli.ts';
import { makeTestApp, signedInBrowser, type TestApp } from '../../testing/test-app.ts';
import { postsOf, writeSource } from '../../testing/transfer.ts';

const contentsOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.'))
      .sort()
      .map((name) => [name, readFileSync(join(path, name), 'utf8')]),
  );

/** Exports a site, imports it into an empty one, and exports that. */
async function exportTwice(app: TestApp) {
  const first = makeDataDir();
  const second = makeDataDir();
  await cliOutput(app, 'posts', 'export', first);
  await using other = await makeTestApp({ clock: app.clock });
  const report = await cliOutput(other, 'posts', 'import', first);
  await cliOutput(other, 'posts', 'export', second);
  return { first: contentsOf(first), second: contentsOf(second), report };
}

test('exports identical bytes after an export is imported into an empty site', async () => {
  await using app = await makeTestApp();
  const { write: save, change, remove } = await startWriting(app);
  await save('Plain');
  app.clock.move(60_000);
  const { post } = await save('Changed', {
    slug: 'changed',
    content: '\n\n  ---\nbegins and ends oddly\r\n\n---\n',
    excerpt: 'An: "excerpt" # 🙂',
    coverImage: 'https://example.com/a.png?b="c"',
    tags: 'Heat pumps, 水道, "Quotes": yes',
  });
  app.clock.move(60_000);
  await change(post, { title: '\'Quotes\': # - and \\ "more"' });
  const { post: renamed } = await save('Renamed', { slug: 'one' });
  for (const slug of ['two', 'three']) {
    app.clock.move(60_000);
    await change(renamed, { slug });
  }
  await save('Another one');
  await save('A draft', { published: false, scheduledAt: '2026-06-01T10:00:00.000Z' });
  await remove((await save('In the trash')).post);

  const { first, second, report } = await exportTwice(app);
  expect(Object.keys(first)).toEqual([
    'posts/a-draft.md',
    'posts/another-one.md',
    'posts/changed.md',
    'posts/plain.md',
    'posts/three.md',
  ]);
  expect(first['posts/plain.md']).toMatch(
    /^---\ntitle: "Plain"\nslug: "plain"\ndate: "2026-03-01T12:00:00.000Z"\nupdated: "2026-03-01T12:00:00.000Z"\nauthor: "ann@example.com"\npublished: true\nid: "[\da-f-]{36}"\n---\n\nAbout Plain\n$/,
  );
  expect(first['posts/changed.md']).toContain('tags: ["Heat pumps","水道","\\"Quotes\\": yes"]\n');
  expect(first['posts/a-draft.md']).toContain(
    'published: false\nscheduled: "2026-06-01T10:00:00.000Z"\n',
  );
  expect(first['posts/three.md']).toContain('aliases: ["/blog/two","/blog/one"]\n');
  expect(second).toEqual(first);
  expect(report).toContain('Imported 5 posts (4 published, 1 draft).');
  expect(report).toContain(
    'Attributed to the company: 5 posts by ann@example.com, who has no account here.',
  );
});

test('imports an export with slugs that other systems do not use for posts', async () => {
  await using app = await makeTestApp();
  const { write: save } = await startWriting(app);
  const slugs = ['__init__', '_drafts', '_index', '_private', 'changelog', 'license'];
  slugs.push('node_modules', 'readme');
  for (const slug of slugs) await save(slug, { slug });
  const { first, second, report } = await exportTwice(app);
  expect(Object.keys(first)).toEqual(slugs.map((slug) => `posts/${slug}.md`));
  expect(second).toEqual(first);
  expect(report).toContain('Imported 8 posts');
});

test('exports the pictures of posts, and imports them unchanged', async () => {
  await using app = await makeTestApp();
  const { write: save } = await startWriting(app);
  const [used, cover, unused, broken] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(24));
  const paths = [used, cover, unused, broken].map((id) => `/pictures/${id}/600x400.webp`);
  for (const id of [used, cover, unused, broken]) {
    const size = { id: id ?? '', width: 600, height: 400 };
    for (const url of pictureFiles(size)) {
      const file = join(app.dataDir, 'uploads', url);
      const begin = url.endsWith('webp') && id !== broken ? 'RIFF1234WEBP' : '1234ftypavif';
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${begin} of ${url}`);
    }
    app.deps.db
      .insert(pictures)
      .values({ ...size, userId: 'ann', bytes: 100, alt: 'A', createdAt: 0 })
      .run();
  }
  await save('A', { content: `![a](${paths[0]})`, coverImage: paths[1] });

  const { first, second } = await exportTwice(app);
  expect(second).toEqual(first);
  expect(Object.keys(first)).toEqual([
    ...[used, cover].flatMap((id) =>
      ['480x320.avif', '480x320.webp', '600x400.avif', '600x400.webp'].map(
        (name) => `pictures/${id}/${name}`,
      ),
    ),
    'posts/a.md',
  ]);

  const lost = `/pictures/${used}/480x320.avif`;
  rmSync(join(app.dataDir, 'uploads', lost));
  expect(await cliOutput(app, 'posts', 'export', makeDataDir())).toMatch(
    new RegExp(`1 post \\(0 drafts\\) and 2 pictures\\.\n${lost} is missing: .+\n$`),
  );

  await save('B', { content: `![a](${paths[3]})` });
  const { report } = await exportTwice(app);
  expect(report).toContain(
    `posts/b.md: The picture ${broken} is not in the export as AVIF and WebP.`,
  );
});

test('keeps random texts unchanged', async () => {
  await using app = await makeTestApp();
  const { write: save } = await startWriting(app);
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
  const line = fc.constantFrom(
    '---',
    '+++',
    '',
    ' ',
    '\t',
    '- a',
    '"',
    "'",
    ': ',
    '{{ x }}',
    '<b>',
  );
  const content = fc
    .array(fc.oneof(text, line), { minLength: 1, maxLength: 8 })
    .map((lines) => lines.join('\n'));
  let number = 0;
  for (const post of fc.sample(fc.record({ title: text, content, excerpt: text }), {
    numRuns: 60,
    seed: 20_261_122,
  })) {
    number += 1;
    // Some are refused, such as titles of spaces.
    await save(post.title, { ...post, slug: `post-${number}` }).catch(() => undefined);
  }
  expect(postsOf(app).length).toBeGreaterThan(45);
  const { first, second } = await exportTwice(app);
  expect(second).toEqual(first);
});

test('reports an export and its import as JSON', async () => {
  await using app = await makeTestApp();
  const ann = await signedInBrowser(app);
  await ann.post('/api/posts', { title: 'A draft', content: 'Text', published: false });
  const folder = join(makeDataDir(), 'posts');
  expect(await cliJson(app, 'posts', 'export', folder)).toEqual({
    folder,
    ...{ posts: 1, drafts: 1, pictures: 0, missing: [] },
  });
  await using other = await makeTestApp();
  expect(await cliJson(other, 'posts', 'import', folder)).toEqual({
    source: 'folder of Markdown',
    ...{ found: 1, published: 0, drafts: 1, skipped: 0, existing: 0 },
    unknownAuthors: [{ email: 'ann@example.com', posts: 1 }],
    author: null,
    notes: [],
    isDryRun: false,
    isInterrupted: false,
  });
});

test('exports only to a new folder', async () => {
  await using app = await makeTestApp();
  const path = writeSource({ 'a.txt': 'mine' });
  expect(await runCli(app, 'posts', 'export', path)).toEqual({
    exitCode: 1,
    out: '',
    err: `${path} is not empty: choose another folder.\n`,
  });
  const file = join(path, 'a.txt');
  expect(await runCli(app, 'posts', 'export', file)).toEqual({
    exitCode: 1,
    out: '',
    err: `${file} is a file: choose another folder.\n`,
  });
  const inside = join(app.dataDir, 'posts/new');
  expect(await runCli(app, 'posts', 'export', inside)).toEqual({
    exitCode: 1,
    out: '',
    err: `${inside} and DATA_DIR ${app.dataDir} overlap: choose another folder.\n`,
  });
  expect(existsSync(join(app.dataDir, 'posts'))).toBe(false);
});

test('exports the current email addresses of authors', async () => {
  await using app = await makeTestApp();
  const { write: save } = await startWriting(app);
  await save('Plain');
  app.deps.db.update(users).set({ email: 'new@example.com' }).run();
  const folder = makeDataDir();
  await cliOutput(app, 'posts', 'export', folder);
  expect(contentsOf(folder)['posts/plain.md']).toContain('author: "new@example.com"');
});
