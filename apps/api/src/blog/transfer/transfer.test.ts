import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pictureFiles } from '@app/contract/blog/pictures';
import { users } from '@app/db/schema/accounts';
import { blogPostRevisions, blogPosts } from '@app/db/schema/blog';
import { pictures } from '@app/db/schema/pictures';
import { publishJobs } from '@app/db/schema/publishing';
import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../cli/run.ts';
import { commands } from '../../features.ts';
import { createImageProcessor } from '../../images/image-processor.ts';
import { startWriting } from '../../testing/blog.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { createBodyRenderer } from '../body-renderer.ts';
import { createTextConverter } from './convert/text-converter.ts';
import { FetchError } from './fetch-file.ts';
import { createFetchedPictures } from './fetched-pictures.ts';
import { importPosts } from './import.ts';
import { openSource } from './open-source.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'transfer-'));
  return () => rmSync(folder, { recursive: true });
});

async function cli({ dataDir, clock }: TestApp, ...args: string[]) {
  let out = '';
  let err = '';
  const exitCode = await runCommand({
    commands,
    args,
    clock,
    environment: { DATA_DIR: dataDir },
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exitCode, out, err };
}

async function done(app: TestApp, ...args: string[]): Promise<string> {
  const { exitCode, out, err } = await cli(app, ...args);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}

function write(files: Record<string, string | object>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, 'source', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return join(folder, 'source');
}

const postsOf = ({ deps }: TestApp) =>
  deps.db.select().from(blogPosts).orderBy(asc(blogPosts.slug)).all();

const contentsOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.'))
      .sort()
      .map((name) => [name, readFileSync(join(path, name), 'utf8')]),
  );

/** Exports a site, imports it into an empty one, and exports that. */
async function exportTwice(app: TestApp, name = '') {
  const first = join(folder, `${name}first`);
  const second = join(folder, `${name}second`);
  await done(app, 'posts', 'export', first);
  await using other = await makeTestApp({ clock: app.clock });
  const report = await done(other, 'posts', 'import', first);
  await done(other, 'posts', 'export', second);
  return { first: contentsOf(first), second: contentsOf(second), report };
}

describe('an export', () => {
  test('is imported into an empty site, and exported with identical bytes', async () => {
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
    await change(post, { title: '\'Quotes\': \u2028 \u0007 and \\ "more"' });
    await save('A draft', { published: false });
    await remove((await save('In the trash')).post);

    const { first, second, report } = await exportTwice(app);
    expect(Object.keys(first)).toEqual(['posts/a-draft.md', 'posts/changed.md', 'posts/plain.md']);
    expect(first['posts/plain.md']).toMatch(
      /^---\ntitle: "Plain"\nslug: "plain"\ndate: "2026-03-01T12:00:00.000Z"\nupdated: "2026-03-01T12:00:00.000Z"\nauthor: "ann@example.com"\npublished: true\nid: "[\da-f-]{36}"\n---\n\nAbout Plain\n$/,
    );
    expect(first['posts/changed.md']).toContain(
      'tags: ["Heat pumps","水道","\\"Quotes\\": yes"]\n',
    );
    expect(second).toEqual(first);
    expect(report).toContain('Imported 3 posts (2 published, 1 draft).');
    expect(report).toContain(
      '3 posts with the author ann@example.com, who has no account here: by the company.',
    );
  });

  test('has the pictures of its posts, which are imported as they are', async () => {
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

    await save('B', { content: `![a](${paths[3]})` });
    const { report } = await exportTwice(app, 'again');
    expect(report).toContain(
      `posts/b.md: The picture ${broken} is missing: not in the export, or not as AVIF and WebP.`,
    );
  });

  test('keeps random texts', async () => {
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
      // Some are refused, like titles of spaces.
      await save(post.title, { ...post, slug: `post-${number}` }).catch(() => undefined);
    }
    expect(postsOf(app).length).toBeGreaterThan(45);
    const { first, second } = await exportTwice(app);
    expect(second).toEqual(first);
  });

  test('goes into a new folder only', async () => {
    await using app = await makeTestApp();
    const path = write({ 'a.txt': 'mine' });
    expect(await cli(app, 'posts', 'export', path)).toEqual({
      exitCode: 1,
      out: '',
      err: `${path} is not empty: choose another folder.\n`,
    });
  });
});

describe('an import', () => {
  test('of Ghost', async () => {
    await using app = await makeTestApp();
    await startWriting(app);
    const lexical = {
      root: {
        children: [
          {
            type: 'extended-heading',
            tag: 'h2',
            children: [{ type: 'extended-text', text: 'Head', format: 0 }],
          },
          {
            type: 'paragraph',
            children: [
              { type: 'text', text: 'a <b> ', format: 0 },
              { type: 'text', text: 'bold', format: 1 },
              {
                type: 'link',
                url: 'https://example.com',
                children: [{ type: 'text', text: 'link', format: 2 }],
              },
            ],
          },
          {
            type: 'list',
            listType: 'number',
            children: [{ type: 'listitem', children: [{ type: 'text', text: 'one' }] }],
          },
          { type: 'image', src: 'https://example.com/a.png', alt: 'A', caption: 'The <i>A</i>' },
          { type: 'codeblock', code: 'let a;', language: 'js' },
          { type: 'bookmark', url: 'https://example.com', metadata: { title: 'Example' } },
        ],
      },
    };
    const mobiledoc = {
      version: '0.3.1',
      atoms: [['soft-return', '', {}]],
      cards: [
        ['image', { src: 'https://example.com/b.png', caption: 'B' }],
        ['hr', {}],
      ],
      markups: [['strong'], ['a', ['href', 'https://example.com']]],
      sections: [
        [
          1,
          'p',
          [
            [0, [0], 1, 'bold'],
            [0, [], 0, ' & '],
            [0, [1], 1, 'link'],
            [1, [], 0, 0],
            [0, [], 0, 'end'],
          ],
        ],
        [3, 'ul', [[[0, [], 0, 'item']]]],
        [10, 0],
        [10, 1],
      ],
    };
    const file = write({
      'ghost.json': {
        db: [
          {
            meta: { version: '5.80.0' },
            data: {
              posts: [
                {
                  id: '1',
                  uuid: 'u1',
                  title: 'From HTML',
                  slug: 'from-html',
                  html: '<p>Some <em>text</em></p>',
                  status: 'published',
                  published_at: '2020-01-31T10:00:00.000Z',
                  updated_at: '2020-02-01T10:00:00.000Z',
                  custom_excerpt: 'Short',
                  feature_image: 'https://example.com/cover.png',
                },
                {
                  id: '2',
                  uuid: 'u2',
                  title: 'From Lexical',
                  slug: 'from-lexical',
                  lexical: JSON.stringify(lexical),
                  status: 'draft',
                  created_at: '2021-01-31T10:00:00.000Z',
                },
                {
                  id: '3',
                  uuid: 'u3',
                  title: 'From Mobiledoc',
                  slug: 'from-mobiledoc',
                  mobiledoc: JSON.stringify(mobiledoc),
                  status: 'published',
                  visibility: 'paid',
                  published_at: 1_580_464_800_000,
                },
                {
                  id: '4',
                  uuid: 'u4',
                  title: 'About',
                  slug: 'about',
                  html: '<p>a</p>',
                  type: 'page',
                  status: 'published',
                },
                { id: '5', uuid: 'u5', title: 'Empty', slug: 'empty', html: '', status: 'draft' },
                {
                  id: '6',
                  uuid: 'u6',
                  title: 'Broken',
                  slug: 'broken',
                  lexical: '{',
                  status: 'draft',
                },
                17,
              ],
              users: [
                { id: '1', email: 'Ann@example.com' },
                { id: '2', email: 'bob@example.com' },
              ],
              tags: [
                { id: '7', name: 'Second' },
                { id: '8', name: '#internal' },
                { id: '9', name: 'First' },
              ],
              posts_tags: [
                { post_id: '1', tag_id: '7', sort_order: 2 },
                { post_id: '1', tag_id: '8', sort_order: 1 },
                { post_id: '1', tag_id: '9', sort_order: 0 },
              ],
              posts_authors: [
                { post_id: '1', author_id: '2', sort_order: 1 },
                { post_id: '1', author_id: '1', sort_order: 0 },
                { post_id: '2', author_id: '2', sort_order: 0 },
              ],
            },
          },
        ],
      },
    });
    const report = await done(app, 'posts', 'import', join(file, 'ghost.json'));
    expect(postsOf(app)).toMatchObject([
      {
        slug: 'from-html',
        title: 'From HTML',
        content: 'Some *text*',
        excerpt: 'Short',
        published: true,
        coverImage: 'https://example.com/cover.png',
        tags: [
          { slug: 'first', name: 'First' },
          { slug: 'second', name: 'Second' },
        ],
        authorId: 'ann',
        authorEmail: 'ann@example.com',
        createdAt: Date.parse('2020-01-31T10:00:00Z'),
        updatedAt: Date.parse('2020-02-01T10:00:00Z'),
      },
      {
        slug: 'from-lexical',
        published: false,
        authorId: null,
        authorEmail: 'bob@example.com',
        content:
          '## Head\n\na <b> **bold**[*link*](https://example.com)\n\n1.  one\n\n![A](https://example.com/a.png "The A")\n\n```js\nlet a;\n```\n\n[Example](https://example.com)',
      },
      {
        slug: 'from-mobiledoc',
        published: false,
        content:
          '**bold** & [link](https://example.com)\nend\n\n-   item\n\n![](https://example.com/b.png "B")\n\n---',
      },
    ]);
    expect(report).toBe(
      [
        'Ghost export: 7 posts.',
        'Imported 3 posts (1 published, 2 drafts).',
        '4 posts skipped.',
        '1 post with the author bob@example.com, who has no account here: by the company.',
        '1 post with no author: by the company.',
        'A running server publishes them now, otherwise the next start does.',
        '',
        'about: Skipped: It is a page, not a post.',
        'post 7: Skipped: It is not a post of Ghost.',
        'empty: Skipped: Content is required',
        'broken: Skipped: Content is required',
        'from-mobiledoc: Only "paid" could read it: imported as a draft.',
        '',
      ].join('\n'),
    );
  });

  test('of WordPress', async () => {
    await using app = await makeTestApp();
    const item = (fields: Record<string, string>, more = '') =>
      `<item>${Object.entries(fields)
        .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
        .join('')}${more}</item>`;
    const post = {
      title: 'Hello &amp; bye',
      'dc:creator': 'bob',
      'wp:post_type': 'post',
      'wp:status': 'publish',
    };
    const path = write({
      'export.xml': `<?xml version="1.0"?>
<!DOCTYPE rss [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<rss version="2.0"><channel><title>Site</title><wp:base_blog_url>https://old.example</wp:base_blog_url>
<wp:author><wp:author_login>bob</wp:author_login><wp:author_email>bob@example.com</wp:author_email></wp:author>
${item({ ...post, 'wp:post_id': '1', 'wp:post_name': 'hello', 'content:encoded': 'One\n\nTwo ]]]]><![CDATA[> \u0007', 'wp:post_date_gmt': '2019-05-06 07:08:09', 'wp:post_modified_gmt': '2019-05-07 07:08:09' }, '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta><category domain="post_tag" nicename="a-b"><![CDATA[A &amp; B]]></category><category domain="category" nicename="pipes"><![CDATA[Pipes]]></category><category domain="category" nicename="uncategorized"><![CDATA[Uncategorized]]></category><category domain="post_format" nicename="post-format-aside"><![CDATA[Aside]]></category>')}
${item({ ...post, title: 'Later', 'wp:post_id': '2', 'wp:post_name': '', 'content:encoded': 'Text', 'wp:post_date_gmt': '0000-00-00 00:00:00', 'wp:status': 'private' })}
${item({ ...post, 'wp:post_id': '3', 'wp:post_type': 'page', 'wp:post_name': 'page' })}
${item({ ...post, 'wp:post_id': '4', 'wp:status': 'trash', 'wp:post_name': 'gone' })}
${item({ title: 'cover', 'wp:post_id': '9', 'wp:post_type': 'attachment', 'wp:attachment_url': 'https://old.example/cover.png' })}
</channel></rss>`,
    });
    const report = await done(app, 'posts', 'import', join(path, 'export.xml'));
    expect(postsOf(app)).toMatchObject([
      {
        slug: 'hello',
        title: 'Hello & bye',
        content: 'One\n\nTwo \\]\\]> \u0007',
        published: true,
        authorEmail: 'bob@example.com',
        coverImage: 'https://old.example/cover.png',
        tags: [
          { slug: 'a-b', name: 'A & B' },
          { slug: 'pipes', name: 'Pipes' },
        ],
        createdAt: Date.parse('2019-05-06T07:08:09Z'),
        updatedAt: Date.parse('2019-05-07T07:08:09Z'),
      },
      { slug: 'later', published: false, createdAt: app.clock.now() },
    ]);
    expect(report).toContain(
      'page: Skipped: It is of the type "page", not a post.\ngone: Skipped: Its status is "trash".\n',
    );
    expect(report).toContain('Later: Its status is "private": imported as a draft.\n');
  });

  test('of a folder of Markdown', async () => {
    await using app = await makeTestApp();
    const path = write({
      'README.md': '# Not a post',
      'node_modules/a/b.md': '---\ntitle: No\n---\n',
      '_posts/2020-01-31-jekyll-post.md':
        '---\ntitle: "Jekyll"\nlayout: post\ntags: Pipes, cost\n---\nSee [it]({% post_url 2019-01-01-other %}).\n',
      '_drafts/idea.md': '---\ntitle: Idea\n---\nText\n',
      'content/posts/hugo/index.md':
        '+++\ntitle = "Hugo"\ndate = 2021-02-03T04:05:06+01:00\ndraft = false\ndescription = "About it"\n[cover]\nimage = "https://example.com/a.png"\n+++\n{{< figure src="https://example.com/b.png" >}}\n',
      'content/posts/_index.md': '---\ntitle: Posts\n---\n',
      'src/content/blog/astro.mdx':
        '---\ntitle: Astro\npubDate: Jul 08 2022\nheroImage: ./hero.png\nslug: Über Uns\n---\nimport A from "./A.astro"\n\n<b>Text</b>\n',
      'no-front-matter.md': 'Text',
      'broken.md': '---\ntitle: [\n---\nText',
      'aliases.md': `---\na: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => `${name}: &${name} [${`*${'abcdef'[index]}, `.repeat(9)}]`).join('\n')}\n---\nText`,
      'future.md': `---\ntitle: Future\ndate: 2030-01-01\ntags: [${'x'.repeat(41)}, Winter, 2025, '!']\n---\nText`,
    });
    const report = await done(app, 'posts', 'import', path);
    expect(postsOf(app)).toMatchObject([
      {
        slug: 'future',
        published: false,
        createdAt: app.clock.now(),
        tags: [
          { slug: 'winter', name: 'Winter' },
          { slug: '2025', name: '2025' },
        ],
      },
      {
        slug: 'hugo',
        title: 'Hugo',
        published: true,
        excerpt: 'About it',
        content: '![](https://example.com/b.png)',
        coverImage: 'https://example.com/a.png',
        createdAt: Date.parse('2021-02-03T03:05:06Z'),
      },
      { slug: 'idea', published: false },
      {
        slug: 'jekyll-post',
        published: true,
        content: 'See [it](/blog/other).',
        tags: [
          { slug: 'pipes', name: 'Pipes' },
          { slug: 'cost', name: 'cost' },
        ],
        createdAt: Date.parse('2020-01-31'),
      },
      {
        slug: 'uber-uns',
        title: 'Astro',
        published: true,
        content: '**Text**',
        createdAt: Date.parse('2022-07-08'),
      },
    ]);
    expect(report.split('\n').slice(6)).toEqual([
      expect.stringMatching(
        /^aliases.md: Skipped: It cannot be read: its front matter cannot be read/,
      ),
      expect.stringMatching(
        /^broken.md: Skipped: It cannot be read: its front matter cannot be read/,
      ),
      'content/posts/_index.md: Skipped: It is the page of a section.',
      'no-front-matter.md: Skipped: It has no front matter.',
      '_drafts/idea.md: It has no valid date: dated today.',
      'future.md: Its date, 2030-01-01, has not come: imported as a draft.',
      'future.md: 2 tags are left out: a post has at most 10, of 40 characters.',
      'src/content/blog/astro.mdx: import of MDX is left out.',
      'src/content/blog/astro.mdx: The slug "Über Uns" is not valid: "uber-uns".',
      'src/content/blog/astro.mdx: Its cover is left out: it has no web address.',
      '',
    ]);
  });

  test('skips what a save would refuse, and goes on', async () => {
    await using app = await makeTestApp();
    await startWriting(app);
    const { write: save } = await startWriting(app);
    await save('Taken');
    const file = (title: string, more: string, content = 'Text') =>
      `---\ntitle: ${title}\ndate: 2020-01-01\n${more}\n---\n${content}`;
    const path = write({
      'a-long.md': file('Long', '', 'word '.repeat(50_000)),
      'b-deep.md': file('Deep', '', `${'> '.repeat(30)}a`),
      'c-complex.md': file('Complex', '', '*a **b '.repeat(900)),
      'd-taken.md': file('Taken', 'slug: taken'),
      'e-reserved.md': file('Reserved', 'slug: editor'),
      'f-title.md': file('a'.repeat(300), ''),
      'g-author.md': file('Author', 'author: Ann@Example.com'),
    });
    const report = await done(app, 'posts', 'import', path, '--author', 'ann@example.com');
    expect(report).toContain('a-long.md: Skipped: ');
    expect(report).toContain('b-deep.md: Skipped: Lists and quotes can be nested');
    expect(report).toContain('d-taken.md: The slug "taken" is taken: "taken-2".\n');
    expect(report).toContain('e-reserved.md: The slug "editor" is not valid: "');
    expect(report).toContain('f-title.md: Its title was cut to 200 characters.\n');
    expect(report).toContain('with no author: by ann@example.com.\n');
    expect(postsOf(app).every(({ authorId }) => authorId === 'ann')).toBe(true);
  });

  test('changes nothing in a dry run, and reports the same', async () => {
    await using app = await makeTestApp();
    const path = write(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `${index}.md`,
          `---\ntitle: Post\nslug: post\ndate: 2020-01-01\n---\nText ${index}`,
        ]),
      ),
    );
    const dry = await done(app, 'posts', 'import', path, '--dry-run');
    expect(postsOf(app)).toEqual([]);
    expect(app.deps.db.select().from(publishJobs).all()).toEqual([]);
    const real = await done(app, 'posts', 'import', path);
    expect(dry.replace('Would import', 'Imported')).toBe(
      real.replace('A running server publishes them now, otherwise the next start does.\n', ''),
    );
    expect(postsOf(app)).toHaveLength(60);
  });

  test('continues after an interruption without duplicates', async () => {
    await using app = await makeTestApp();
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `${1_000 + index}.md`,
        `---\ntitle: Post ${index}\ndate: 2020-01-01\n---\nText`,
      ]),
    );
    const path = write(files);
    const part = join(folder, 'part', 'source');
    cpSync(path, part, { recursive: true });
    for (const name of Object.keys(files).slice(30)) rmSync(join(part, name));
    await done(app, 'posts', 'import', part);
    const before = postsOf(app);
    app.deps.db
      .update(blogPosts)
      .set({ title: 'Edited since' })
      .where(eq(blogPosts.slug, '1007'))
      .run();

    const report = await done(app, 'posts', 'import', path);
    expect(report).toContain(
      'Imported 30 posts (30 published, 0 drafts).\n30 posts had been imported before.\n',
    );
    expect(postsOf(app)).toHaveLength(60);
    expect(before).toHaveLength(30);
    expect(postsOf(app).filter(({ title }) => title === 'Edited since')).toHaveLength(1);
    expect(await done(app, 'posts', 'import', path)).toContain('Imported 0 posts');
  });

  test('writes revisions, and jobs that publish the posts', async () => {
    await using app = await makeTestApp({ publishes: true });
    const path = write({ 'a.md': '---\ntitle: A\ndate: 2020-01-01\n---\nText' });
    await done(app, 'posts', 'import', path);
    const [post] = postsOf(app);
    expect(app.deps.db.select().from(blogPostRevisions).all()).toMatchObject([
      { postId: post?.id, version: 1, title: 'A', createdAt: Date.parse('2020-01-01') },
    ]);
    await expect.poll(() => app.deps.siteFiles.load('/blog/a')).not.toBeNull();
    await expect.poll(() => app.deps.db.select().from(publishJobs).all()).toEqual([]);
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
  ])('refuses %s', async (name, message) => {
    await using app = await makeTestApp();
    const path = write({
      'text.txt': 'Text',
      'other.json': { a: 1 },
      'broken.json': '{"a',
      'other.xml': '<a><b/></a>',
      'broken.xml': '<rss><channel><item></rss>',
      'entity.xml':
        '<!DOCTYPE rss [<!ENTITY a "b">]><rss><channel><item>&a;</item></channel></rss>',
      'empty/a.txt': '',
    });
    const { exitCode, err } = await cli(app, 'posts', 'import', join(path, name));
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
  });

  test('takes over pictures from the web', async () => {
    await using app = await makeTestApp();
    const { db, clock } = app.deps;
    const png = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const loaded: string[] = [];
    const signal = new AbortController().signal;
    const site = { db, dataDir: app.dataDir, clock, signal };
    const fetchedPictures = createFetchedPictures({
      ...site,
      images: createImageProcessor(app.deps.log),
      load: async (url) => {
        loaded.push(url);
        if (url.endsWith('missing.png')) throw new FetchError('the server answered 404');
        return url.endsWith('text.png') ? Buffer.from('text') : png;
      },
    });
    const html = ['a', 'a', 'missing', 'text'].map(
      (name) => `<p><img src="https://example.com/${name}.png" alt="${name}"></p>`,
    );
    const post = { id: '1', uuid: 'u', title: 'A', slug: 'a', status: 'published' };
    const data = { ...post, html: html.join(''), feature_image: 'https://example.com/a.png' };
    const path = join(write({ 'ghost.json': { data: { posts: [data] } } }), 'ghost.json');
    const converter = createTextConverter(app.deps.log);
    const bodyRenderer = createBodyRenderer();
    const { notes } = await importPosts({
      ...site,
      source: await openSource(path),
      converter,
      bodyRenderer,
      fetchedPictures,
      defaultAuthor: null,
      isDryRun: false,
      onProgress: () => undefined,
    });
    bodyRenderer.close();
    await converter.end();

    const [picture, more] = db.select().from(pictures).all();
    expect(more).toBeUndefined();
    expect(picture).toMatchObject({ width: 600, height: 400, userId: null });
    const stored = `/pictures/${picture?.id}/600x400.webp`;
    const [saved] = postsOf(app);
    expect(saved?.coverImage).toBe(stored);
    expect(saved?.content).toBe(
      `![a](${stored})\n\n![a](${stored})\n\n![missing](https://example.com/missing.png)\n\n![text](https://example.com/text.png)`,
    );
    expect(notes.map(({ note }) => note)).toEqual([
      'The picture https://example.com/missing.png stays on the web: the server answered 404.',
      expect.stringContaining('https://example.com/text.png stays on the web: We couldn'),
    ]);
    expect(loaded).toHaveLength(3);
    expect(readdirSync(join(app.dataDir, 'uploads/pictures', picture?.id ?? ''))).toHaveLength(4);
  });

  test('needs an existing author', async () => {
    await using app = await makeTestApp();
    app.deps.db.insert(users).values({ id: 'a', email: 'a@example.com', createdAt: 0 }).run();
    const { err } = await cli(app, 'posts', 'import', write({}), '--author', 'b@example.com');
    expect(err).toBe('There is no account with the email b@example.com.\n');
  });
});
