import { expect, test } from 'vitest';
import { cliOutput } from '../../testing/cli.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { postsOf, writeSource } from '../../testing/transfer.ts';

test('imports a folder of Markdown', async () => {
  await using app = await makeTestApp();
  const path = writeSource({
    'README.md': '# Not a post',
    '_partial.md': '---\ntitle: No\n---\n',
    '_site/a.md': '---\ntitle: No\n---\n',
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
    'soon.md': '---\ntitle: Soon\ndate: 2026-06-01 10:00\n---\nText',
  });
  const report = await cliOutput(app, 'posts', 'import', path);
  expect(postsOf(app)).toMatchObject([
    { slug: 'aliases', content: 'Text', published: false, scheduledAt: null },
    { slug: 'broken', content: 'Text', published: false, scheduledAt: null },
    {
      slug: 'future',
      published: false,
      scheduledAt: null,
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
      slug: 'soon',
      published: false,
      createdAt: app.clock.now(),
      scheduledAt: Date.parse('2026-06-01T10:00Z'),
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
    'README.md: Skipped: A file with this name is not a post.',
    '_partial.md: Skipped: A file with this name is not a post.',
    '_site/a.md: Skipped: It is in _site, which is not a folder of posts.',
    'content/posts/_index.md: Skipped: It is a section page.',
    'no-front-matter.md: Skipped: It has no front matter.',
    '_drafts/idea.md: It has no valid date, so it is dated today.',
    expect.stringMatching(
      /^aliases.md: Its front matter cannot be read \(.*: imported as a draft.$/,
    ),
    'aliases.md: It has no valid date, so it is dated today.',
    expect.stringMatching(
      /^broken.md: Its front matter cannot be read \(.*: imported as a draft.$/,
    ),
    'broken.md: It has no valid date, so it is dated today.',
    'future.md: Its time, 2030-01-01T00:00:00.000Z, is more than 366 days ahead: imported as a draft.',
    'future.md: 2 tags are left out: a post can have at most 10, of up to 40 characters.',
    'soon.md: Scheduled for 2026-06-01T10:00:00.000Z, but will stay a draft: its author has no account.',
    'src/content/blog/astro.mdx: Imports and exports of MDX are left out.',
    'src/content/blog/astro.mdx: The slug "Über Uns" is not valid, so "uber-uns" is used.',
    'src/content/blog/astro.mdx: Its cover is left out: it has no http(s) URL.',
    '',
  ]);
});

/** The posts by title, without the clutter of a row. */
async function importFolder(files: Record<string, string>) {
  await using app = await makeTestApp();
  const report = await cliOutput(app, 'posts', 'import', writeSource(files));
  const posts = postsOf(app).map((post) => [post.title, post] as const);
  return { report, posts: Object.fromEntries(posts) };
}

/** A post for each front matter, titled with its index. */
const importFields = (all: readonly string[]) =>
  importFolder(
    Object.fromEntries(
      all.map((fields, index) => [`${index}.md`, `---\ntitle: ${index}\n${fields}\n---\nText`]),
    ),
  );

test('reads front matter in every format', async () => {
  const yaml = 'title: NAME\ndate: 2020-01-31\ndraft: false';
  const json = '"title": "NAME", "date": "2020-01-31", "draft": false, "a": {"b": "} \\" {"}';
  const toml = 'title = "NAME"\ndate = 2020-01-31\ndraft = false';
  const files = {
    yaml: `---\n${yaml}\n---\nText`,
    dots: `---\n${yaml}\n...\nText`,
    bom: `\uFEFF---\r\n${yaml.replaceAll('\n', '\r\n')}\r\n---\r\n\r\nText\r\n`,
    'bom-toml': `\uFEFF+++\r\n${toml.replaceAll('\n', '\r\n')}\r\n+++\r\nText`,
    'empty-lines': `\n\n---\n${yaml}\n---\nText`,
    spaces: `--- \n${yaml}\n---  \nText`,
    toml: `+++\n${toml}\n+++\nText`,
    json: `{\n${json}\n}\nText`,
    'json-line': `{${json}}\n\nText`,
    hexo: `{${json}};;;\nText`,
    'eleventy-json': `---json\n{${json}}\n---\nText`,
    'eleventy-toml': `---toml\n${toml}\n---\nText`,
    upper: `---\n${yaml.replace('title', 'TITLE').replace('date', 'Date')}\n---\nText`,
  };
  const { posts, report } = await importFolder(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`${name}.md`, text.replace('NAME', name)]),
    ),
  );
  for (const name of Object.keys(files)) {
    expect(posts[name]).toMatchObject({
      content: 'Text',
      createdAt: Date.parse('2020-01-31'),
      published: true,
    });
  }
  expect(report.split('\n').slice(4)).toEqual(['']);
});

test.each([
  ['---js\n{ draft: false }\n---\nText', 'it has an unknown format'],
  ['---\ntitle: A\n title: B\n---\nText', 'Nested mappings are not allowed'],
  ['---\n- draft\n---\nText', 'it is not a list of fields'],
  ['+++\ntitle = A\n+++\nText', 'Invalid TOML document: invalid value'],
  ['---json\n{ draft: false }\n---\nText', "Expected property name or '}' in JSON"],
  [`---\ntitle: ${'a'.repeat(70_000)}\n---\nText`, 'it is longer than 65,536 characters'],
])('imports a post as a draft if its front matter cannot be read', async (file, problem) => {
  const { posts, report } = await importFolder({ '2020-01-31-my-post.md': file });
  expect(posts['my post']).toMatchObject({ content: 'Text', published: false, slug: 'my-post' });
  expect(report).toContain(`my-post.md: Its front matter cannot be read (${problem}`);
});

test('a text that begins with a template tag has no front matter', async () => {
  const files = { 'a.md': '{{ "Text" }}\n\n}', 'b.md': '{% raw %}\n}', 'c.md': '{}\n{"a":1}' };
  const { report } = await importFolder({ ...files, 'd.md': '---\ntitle: D\n---\nText' });
  expect(report).toContain('a.md: Skipped: It has no front matter.');
  expect(report).toContain('b.md: Skipped: It has no front matter.');
});

test('reads tags and categories', async () => {
  const expected: [string, string[]][] = [
    ['tags: food cooking pizza', ['food', 'cooking', 'pizza']],
    ['tags: food, slow cooking', ['food', 'slow cooking']],
    ['tags: slow cooking; food', ['slow cooking', 'food']],
    ['tags: [food, slow cooking]', ['food', 'slow cooking']],
    ['tags:\n- food\n- 2025', ['food', '2025']],
    ['Tags: food', ['food']],
    ['tag: slow cooking', ['slow cooking']],
    ['categories: food pizza\ntags: [pizza, salt]', ['pizza', 'salt', 'food']],
    ['category: slow cooking', ['slow cooking']],
    ['categories: [[food, pizza], [salt]]', ['food', 'pizza', 'salt']],
    ['categories: Uncategorized', []],
    ['tags: [{label: Food, permalink: /food}]', ['Food']],
    ['taxonomies: {tags: [food], categories: [salt]}', ['food', 'salt']],
  ];
  const { posts } = await importFields(expected.map(([fields]) => fields));
  const tags = expected.map(([fields], index) => [
    fields,
    posts[index]?.tags.map(({ name }) => name),
  ]);
  expect(tags).toEqual(expected);
});

const cover = 'https://example.com/a.jpg';

test('the last part of a permalink is the slug, unless it is a pattern', async () => {
  await using app = await makeTestApp();
  const permalinks = [
    ...['/2020/own/', '/own-too.html', '/:year/:title/', 'pretty', '/{{ title | slugify }}/'],
    ...['/blog/{{ page.fileSlug }}/index.html'],
  ];
  const files = permalinks.map((permalink, index): [string, string] => [
    `named-${index}.md`,
    `---\ntitle: T\ndate: 2020-01-01\npermalink: ${JSON.stringify(permalink)}\n---\nText`,
  ]);
  await cliOutput(app, 'posts', 'import', writeSource(Object.fromEntries(files)));
  expect(postsOf(app).map(({ slug }) => slug)).toEqual([
    ...['named-2', 'named-3', 'named-4', 'named-5', 'own', 'own-too'],
  ]);
});

test('reads covers', async () => {
  const fields = [
    `cover: ${cover}`,
    `image: {path: ${cover}, alt: A}`,
    `image: {src: ${cover}}`,
    `image: {feature: ${cover}}`,
    `image: [${cover}, https://example.com/b.jpg]`,
    `images: [${cover}]`,
    `images: [{url: ${cover}}]`,
    `cover: {image: ${cover}, hidden: true}`,
    `header: {teaser: ${cover}}`,
    `header: {overlay_image: ${cover}}`,
    `featured_image: ${cover}`,
    `featuredImage: ${cover}`,
    `heroImage: ${cover}`,
    `thumbnail: ${cover}`,
    `ogImage: {url: ${cover}}`,
    `params: {cover: ${cover}}`,
    'image: //example.com/a.jpg',
    'image: {path: //example.com/a.jpg}',
  ];
  const { posts } = await importFields(fields);
  expect(fields.filter((_, index) => posts[index]?.coverImage !== cover)).toEqual([]);
});

test('reads the usual dates, and keeps a post with another one as a draft', async () => {
  const fields = {
    a: 'pubDatetime: 2022-07-08T10:00:00Z\nmodDatetime: 2022-07-09',
    b: 'date: July 8, 2022 10:00\nlastmod: 9 July 2022',
    c: 'date: {created: 2022-07-08 10:00, updated: 2022-07-09}\nupdated: 2022/07/09',
    d: 'publishDate: 2022-07-08 10:00:00 +0000\nlast_modified_at: Jul 09 2022',
    e: 'date: 07/08/2022',
    f: 'posted_by: A',
    g: 'date: Last Modified\npubDate: 2022-07-08 10:00',
  };
  const { posts, report } = await importFolder(
    Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [
        `${name}.md`,
        `---\ntitle: ${name}\n${text}\n---\nText`,
      ]),
    ),
  );
  for (const name of ['a', 'b', 'c', 'd']) {
    expect(posts[name]).toMatchObject({
      published: true,
      createdAt: Date.parse('2022-07-08T10:00:00Z'),
      updatedAt: Date.parse('2022-07-09'),
    });
  }
  for (const name of ['e', 'f', 'g']) expect(posts[name]?.published).toBe(false);
  expect(report).toContain('e.md: Its field date (07/08/2022) cannot be understood');
  expect(report).toContain('f.md: It has no valid date: imported as a draft of today.\n');
  expect(report).toContain('g.md: Its field date (Last Modified) cannot be understood');
});

test('completes the URLs of pictures', async () => {
  await using app = await makeTestApp();
  const text = '![](/img/b.png)\n\n![](//cdn.example/c.png)\n\n![](d.png)\n\n`![](/e.png)`';
  const path = writeSource({ 'a.md': `---\ntitle: A\ncover: /img/a.png\n---\n${text}` });
  await cliOutput(app, 'posts', 'import', path, '--source-url', 'https://old.example');
  expect(postsOf(app)).toMatchObject([
    {
      coverImage: 'https://old.example/img/a.png',
      content: text
        .replace('/img/b.png', 'https://old.example/img/b.png')
        .replace('//cdn', 'https://cdn'),
    },
  ]);
});
