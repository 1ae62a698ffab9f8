import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliJson } from '../../testing/cli.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { postsOf, writeSource } from '../../testing/transfer.ts';

/** Its title is the file's path. The clock of the tests is at 2026-03-01. */
async function importFiles(files: Record<string, string | object>, folder = '') {
  const app = await makeTestApp();
  const report = await cliJson(app, 'posts', 'import', join(writeSource(files), folder));
  const { notes } = report as { notes: { name: string; note: string }[] };
  const states = Object.fromEntries(
    postsOf(app).map(({ title, published, scheduledAt }) => [
      title,
      published
        ? 'published'
        : scheduledAt === null
          ? 'draft'
          : new Date(scheduledAt).toISOString(),
    ]),
  );
  await app[Symbol.asyncDispose]();
  return {
    states,
    notesOf: (name: string) => notes.filter((each) => each.name === name).map(({ note }) => note),
  };
}

const yaml = (title: string, fields: string): string =>
  `---\ntitle: ${JSON.stringify(title)}\n${fields}\n---\nText`;
const toml = (title: string, fields: string): string =>
  `+++\ntitle = ${JSON.stringify(title)}\n${fields}\n+++\nText`;

/** Imports one file per entry, with its front matter and an old date. */
async function importFields(all: readonly string[], format: typeof yaml, date: string) {
  const names = all.map((fields, index) => ({ fields, name: `${index}.md` }));
  const { states, notesOf } = await importFiles(
    Object.fromEntries(names.map(({ fields, name }) => [name, format(name, `${date}\n${fields}`)])),
  );
  return names.map(({ fields, name }) => ({ fields, state: states[name], notes: notesOf(name) }));
}

const shown = [
  ...['', 'draft: false', 'Draft: False', 'draft: "no"', 'draft: 0', 'draft:', 'published: true'],
  ...['published: "yes"', 'published: 2021-01-01', 'publish: true', 'status: published'],
  ...['status: Publish', 'visibility: public', 'access: everyone', 'private: false', 'hidden: off'],
  ...['unlisted: false', 'publishDate: 2021-01-01', 'expiryDate: 2099-01-01', 'expiryDate:'],
  ...[
    'build: {render: always, list: always}',
    'build: {render: true}',
    '_build: {publishResources: true}',
  ],
  ...[
    'build: {publishResources: false, list: always, render: always}',
    'permalink: /a/',
    'robots: index, follow',
  ],
  ...[
    'password: ""',
    'layout: post',
    'type: post',
    'outputs: [html]',
    'headless: false',
    'render: true',
  ],
  ...[
    'toc: true',
    'math: true',
    'weight: 3',
    'comments: false',
    'publisher: ACME',
    'hide_table_of_contents: true',
  ],
  ...[
    'hidemeta: true',
    'sitemap: {priority: 0.5}',
    'lastmod: 2030-01-01',
    'params: {draft: false}',
  ],
  ...['dg-publish: true', 'seo: {noindex: false, title: Draft}', 'cover: {hidden: true}'],
  ...['comments: {enable: false}', 'toc: {enable: false, visible: no}', 'linkTitle: private'],
  ...['category: drafts', 'tags: [draft, private]', 'tier: free', 'internal: false'],
  ...['permalink: "/{{ title | slugify }}/"', 'reviewed: Ada', 'image: {status: draft}'],
];

test('publishes posts that their source shows', async () => {
  const found = await importFields(shown, yaml, 'date: 2020-01-01');
  expect(found.filter(({ state }) => state !== 'published')).toEqual([]);
});

const withheld = [
  // Hugo
  ...['draft: true', 'Draft: true', 'DRAFT: true', 'dRaFt: TRUE', 'draft: "true"', 'draft: 1'],
  ...[
    'expiryDate: 2021-01-01',
    'expirydate: 2026-03-01',
    'ExpiryDate: "Jan 1, 2021"',
    'unpublishdate: 2021-01-01',
  ],
  ...[
    'build: {render: never}',
    'build: {Render: Never}',
    '_build: {render: false}',
    'build: {render: link}',
  ],
  ...['build: {list: never}', 'build: {list: local}', 'Build: {render: sometimes}', 'build: never'],
  ...['headless: true', 'outputs: []', 'params: {hidden: true}', 'params: {Draft: true}'],
  // Jekyll, Hexo, Gatsby, Pelican, VuePress
  ...[
    'published: false',
    'Published: false',
    'published: no',
    'published: "False"',
    'published: off',
  ],
  ...[
    'draft: yes',
    'draft: on',
    'draft: "Yes"',
    'draft: y',
    'hidden: true',
    'hide: true',
    'unlisted: true',
  ],
  ...[
    'private: true',
    'publish: false',
    'password: secret',
    'password: 1234',
    'layout: draft',
    'article: false',
  ],
  ...[
    'status: draft',
    'status: Draft',
    'Status: hidden',
    'status: skip',
    'status: pending',
    'status: future',
  ],
  ...[
    'status: private',
    'status: 3',
    'status: [published]',
    'visibility: private',
    'visibility: members',
  ],
  ...[
    'access: paid',
    'isDraft: true',
    'is_draft: true',
    'is-published: false',
    'public: false',
    'listed: false',
  ],
  // Eleventy, Zola, Astro
  ...[
    'permalink: false',
    'eleventyExcludeFromCollections: true',
    'render: false',
    'extra: {private: true}',
  ],
  ...['draft: true\ndraft_reason: legal', 'extra: {draft: true}'],
  // For search engines, which this site cannot keep away.
  ...['noindex: true', 'robots: noindex, nofollow', 'robots: none', 'robotsNoIndex: true'],
  // Nothing that can be understood
  ...[
    'draft: maybe',
    'draft: [true]',
    'draft: {production: true}',
    'draft: 2',
    'published: soon',
    'published: []',
  ],
  ...[
    'publishDate: next week',
    'publishDate: 07/08/2022',
    'publishDate: "{{ now }}"',
    'publishDate: true',
  ],
  ...[
    'expiryDate: never ever',
    'expiryDate: 0000-00-00',
    'pubDate: "?"',
    'embargo: true',
    'status: "in review"',
  ],
  // Unknown fields whose names say what they do
  ...[
    'draftState: open',
    'hideFromFeed: true',
    'published_in: newsletter',
    'private_notes: yes',
    'expiresSoon: true',
  ],
  ...['passwordHash: abc', 'excludeFromBlog: true', 'membersOnly: true', 'visibleTo: staff'],
  ...['visibleOnBlog: false', 'publish_to_site: no', 'dg-publish: false', 'do-not-publish: true'],
  ...['invisible: true', 'emailOnly: true', 'subscribersOnly: true', 'loginRequired: true'],
  ...['internal: true', 'ready: false', 'accessLevel: premium', 'tiers: [gold]', 'premium: yes'],
  // Objects
  ...['meta: {draft: true}', 'seo: {noindex: true}', 'blog: {status: pending}'],
  ...['options: {listing: {hidden: true}}', 'publication: {publishDate: someday}'],
  ...['eleventyComputed: {eleventyExcludeFromCollections: true}'],
  // Values that say so
  ...['layout: private', 'phase: "In review"', 'workflow: draft', 'section: _drafts'],
  ...['meta_robots: "noindex, follow"', 'channel: members-only', 'kind: Unlisted'],
  ...['permalink: "{% if listed %}/a/{% endif %}"', 'permalink: "{{ false }}"'],
  // The same field twice
  ...[
    'draft: false\nDraft: true',
    'published: true\nPublished: false',
    'draft: true\nparams: {draft: false}',
  ],
];

test('keeps posts as drafts that their source does not show', async () => {
  const found = await importFields(withheld, yaml, 'date: 2020-01-01');
  expect(found.filter(({ state }) => state !== 'draft')).toEqual([]);
  // Plain drafts need no explanation.
  const explained = found.filter(({ fields }) => !/\b(?:draft|published)\b/i.test(fields));
  expect(explained.filter(({ notes }) => notes.length !== 1)).toEqual([]);
});

test('says which field of a post cannot be understood', async () => {
  const [found] = await importFields(['publishDate: 07/08/2022'], yaml, 'date: 2020-01-01');
  expect(found?.notes).toEqual([
    'Its field publishDate (07/08/2022) cannot be understood: imported as a draft.',
  ]);
});

test('reads TOML like YAML', async () => {
  const found = await importFields(
    [
      ...['Draft = true', 'draft = "true"', 'expiryDate = 2021-01-01', 'publishdate = "soon"'],
      ...['[build]\nrender = "never"', '[params]\nhidden = true', '[Extra]\nDRAFT = true'],
    ],
    toml,
    'Date = 2020-01-01',
  );
  expect(found.filter(({ state }) => state !== 'draft')).toEqual([]);
  const other = await importFields(
    ['Draft = false', '[build]\nrender = "always"'],
    toml,
    'DATE = 2020-01-01T10:00:00',
  );
  expect(other.map(({ state }) => state)).toEqual(['published', 'published']);
});

test('schedules posts with an old date that are to be shown later', async () => {
  const found = await importFields(
    [
      ...[
        'publishDate: 2026-06-01',
        'publishdate: 2026-06-01T00:00:00Z',
        'PublishDate: "June 1, 2026"',
      ],
      ...['pubDate: 2026-06-01', 'pubDatetime: 2026-06-01T00:00:00Z', 'published: 2026-06-01'],
      ...[
        'published_at: 2026-06-01 00:00:00 +0000',
        'scheduledFor: 2026/06/01',
        'embargo: 2026-06-01',
      ],
      ...['releaseDate: 1 June 2026', 'publishDate: 2026-06-01\npubDate: 2021-01-01'],
      ...['params: {publishDate: 2026-06-01}'],
    ],
    yaml,
    'date: 2020-01-01',
  );
  expect(found.filter(({ state }) => state !== '2026-06-01T00:00:00.000Z')).toEqual([]);
});

test('a time without a zone is in the time zone of the source', async () => {
  // It is 12:00 UTC, 7:00 in New York and 21:00 in Tokyo.
  const import_ = (config: Record<string, string>) =>
    importFiles({
      ...config,
      '_posts/2020-01-01-a.md': yaml('a', 'date: 2026-03-01 08:00'),
      '_posts/2020-01-01-b.md': yaml('b', 'date: 2026-03-01 06:00'),
      '_posts/2020-01-01-c.md': yaml('c', 'date: 2026-03-01 08:00 +0000'),
      '_posts/2026-02-28-d.md': yaml('d', 'expiryDate: 2026-03-01 13:00'),
    });
  const inNewYork = await import_({ '_config.yml': 'timezone: America/New_York' });
  expect(inNewYork.states).toMatchObject({
    ...{ a: '2026-03-01T13:00:00.000Z', b: 'published', c: 'published', d: 'published' },
  });
  const inTokyo = await import_({ 'hugo.toml': 'timeZone = "Asia/Tokyo"' });
  expect(inTokyo.states).toMatchObject({ a: 'published', d: 'draft' });
  const unknown = await import_({ '_config.yml': 'timezone: Somewhere' });
  expect(unknown.states).toMatchObject({ a: '2026-03-01T20:00:00.000Z', c: 'published' });
});

test('neither publishes nor schedules a draft for a time in the future', async () => {
  const found = await importFields(
    [
      'draft: true\npublishDate: 2026-06-01',
      'publishDate: 2099-01-01',
      'publishDate: 2026-06-01\nexpiryDate: 2021-01-01',
    ],
    yaml,
    'date: 2020-01-01',
  );
  expect(found.map(({ state }) => state)).toEqual(['draft', 'draft', 'draft']);
});

test('reads fields that other files set for a post', async () => {
  const date = 'date: 2020-01-01';
  const files = {
    // Hugo
    'hugo/_index.md': '---\ntitle: Hugo\ncascade: {draft: true}\n---\n',
    'hugo/a.md': date,
    'hugo/deep/b.md': date,
    'hugo/own.md': `${date}\ndraft: false`,
    'hugo/list/_index.md':
      '+++\n[[cascade]]\n[cascade.build]\nrender = "never"\n[cascade.target]\npath = "**"\n[[cascade]]\ndraft = false\n+++\n',
    'hugo/list/a.md': date,
    'hugo/open/_index.md': '---\ncascade: {draft: false}\n---\n',
    'hugo/open/a.md': date,
    'terms/_index.md': '---\ncascade: {target: {kind: term}, draft: true}\n---\n',
    'terms/a.md': date,
    'bundle/index.md': date,
    'bundle/part.md': date,
    // Zola
    'zola/_index.md': '+++\ndraft = true\n+++\n',
    'zola/a.md': date,
    // Jekyll
    '_config.yml':
      'defaults:\n- {scope: {path: notes}, values: {published: false}}\n- {scope: {path: "wild/**"}, values: {hidden: true}}\n- {scope: {type: pages}, values: {published: false}}\nexclude: [excluded, secret.md]\n',
    'notes/a.md': date,
    'notes-b.md': date,
    'wild/deep/a.md': date,
    'excluded/a.md': date,
    'secret.md': date,
    // Eleventy
    'eleventy/eleventy.json': { permalink: false },
    'eleventy/a.md': date,
    'data/data.11tydata.json': { draft: true },
    'data/a.md': date,
    'program/program.11tydata.js': 'module.exports = { draft: true }',
    'program/a.md': date,
    'one/a.11tydata.json': { eleventyExcludeFromCollections: true },
    'one/a.md': date,
    'one/b.md': date,
    'other/else.json': { draft: true },
    'other/a.md': date,
    'broken/_index.md': '---\ntitle: [\n---\n',
    'broken/a.md': date,
    // Paths
    '_drafts/a.md': date,
    'Drafts/a.md': date,
    '_posts/_drafts/a.md': date,
    'private/a.md': date,
    'a.draft.md': date,
    '_posts/2020-01-01-a.md': date,
    '_posts/2026-06-01-a.md': date,
    // Skipped
    '_notes/a.md': date,
    '_a.md': date,
  };
  const posts = Object.entries(files).map(([name, content]): [string, string | object] => [
    name,
    typeof content === 'string' && content.startsWith(date) ? yaml(name, content) : content,
  ]);
  const { states, notesOf } = await importFiles(Object.fromEntries(posts));
  const named = (state: string) =>
    Object.keys(states)
      .filter((name) => states[name] === state)
      .sort();
  expect(named('published')).toEqual([
    ...['_posts/2020-01-01-a.md', 'bundle/index.md', 'hugo/open/a.md', 'hugo/own.md'],
    ...['notes-b.md', 'one/b.md', 'other/a.md', 'terms/a.md'],
  ]);
  expect(states['_posts/2026-06-01-a.md']).toBe('2026-06-01T00:00:00.000Z');
  expect(notesOf('program/a.md')).toContain(
    'program/program.11tydata.js may withhold it and cannot be read: imported as a draft.',
  );
  expect(notesOf('bundle/part.md')).toContain(
    'Hugo shows it only as a part of index.md: imported as a draft.',
  );
  expect(notesOf('_notes/a.md')).toEqual([
    'Skipped: It is in _notes, which is not a folder of posts.',
  ]);
  expect(notesOf('_a.md')).toEqual(['Skipped: A file with this name is not a post.']);
  expect(Object.keys(states)).toHaveLength(
    Object.values(files).filter((content) => String(content).startsWith(date)).length - 2,
  );
});

test('reads the lists of files that a source leaves out', async () => {
  const date = 'date: 2020-01-01';
  const files = {
    'jekyll/_config.yml': 'exclude: secret.md',
    'jekyll/docs/secret.md': date,
    'jekyll/_posts/2020-01-01-a.md': date,
    'jekyll/_posts/undated.md': date,
    'jekyll/_config.production.yml': 'exclude: [/other/]',
    'jekyll/other/a.md': date,
    'toml/_config.toml': 'exclude = ["b.md"]',
    'toml/a.md': date,
    'toml/b.md': date,
    'hexo/_config.yml': 'skip_render: "lab/**"\nignore: ["**/*.old.md"]',
    'hexo/source/_posts/a.md': date,
    'hexo/source/_posts/b.old.md': date,
    'hexo/source/lab/a.md': date,
    'eleventy/.eleventyignore': '# Not yet\nlater\n*.tmp.md\n!a.md\n',
    'eleventy/a.md': date,
    'eleventy/deep/later/a.md': date,
    'eleventy/b.tmp.md': date,
    'git/.gitignore': '/local/\r\n',
    'git/a.md': date,
    'git/local/a.md': date,
    'data/data.yaml': 'draft: true',
    'data/a.md': date,
    'config/_default/hugo.toml':
      'ignoreFiles = ["\\\\.Rmd\\\\.md$", "^hush/.*"]\n[[cascade]]\nprivate = true\n[cascade.target]\npath = "/x/**"',
    'own.md': `${date}\nprivate: false`,
    'hush/a.md': `${date}\nprivate: false`,
    'c.Rmd.md': `${date}\nprivate: false`,
  };
  const { states, notesOf } = await importFiles(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        content.startsWith(date)
          ? yaml(name, content.includes('private') ? content : `${content}\nprivate: false`)
          : content,
      ]),
    ),
  );
  const published = Object.keys(states).filter((name) => states[name] === 'published');
  expect(published.sort()).toEqual([
    ...['eleventy/a.md', 'git/a.md', 'hexo/source/_posts/a.md'],
    ...['jekyll/_posts/2020-01-01-a.md', 'own.md', 'toml/a.md'],
  ]);
  expect(notesOf('eleventy/b.tmp.md')).toContain(
    'Its field .eleventyignore (*.tmp.md) does not show it to everybody: imported as a draft.',
  );
  expect(notesOf('jekyll/_posts/undated.md')).toEqual([
    'Jekyll needs a date in its file name: imported as a draft.',
  ]);
});

test('a post inherits from a list with a rule that cannot be understood', async () => {
  const { states } = await importFiles({
    'hugo.yaml': 'ignoreFiles: ["(a|b)[.]md"]',
    'a.md': yaml('a', 'date: 2020-01-01'),
  });
  expect(states).toEqual({ a: 'draft' });
});

test.each(['_drafts', 'drafts', 'Private', 'wip'])(
  'the folder to import may be %s',
  async (folder) => {
    const { states } = await importFiles(
      { [`${folder}/a.md`]: yaml('a', 'date: 2020-01-01') },
      folder,
    );
    expect(states).toEqual({ a: 'draft' });
  },
);

test('a file of an export is imported as a draft if someone added a field that withholds it', async () => {
  const fields =
    'slug: a\ndate: 2020-01-01T00:00:00.000Z\nupdated: 2020-01-01T00:00:00.000Z\npublished: true\nid: 01234567-89ab-4cde-8f01-23456789abcd';
  const { states } = await importFiles({
    'posts/a.md': yaml('as it was', fields),
    'posts/b.md': yaml(
      'added',
      `${fields.replaceAll('cd', 'ce').replace('slug: a', 'slug: b')}\ndraft: true`,
    ),
  });
  expect(states).toEqual({ 'as it was': 'published', added: 'draft' });
});

test('keeps a post as a draft if a part of its text may be for some visitors only', async () => {
  const texts = {
    'liquid.md': '{% members_only %}\n\nText\n\n{% endmembers_only %}',
    'hugo.md': '{{< private >}}\n\nText\n\n{{< /private >}}',
    'component.mdx': '<MembersOnly>\n\nText\n\n</MembersOnly>',
    'encrypted.md': '{{% encrypt "key" %}}\nText\n{{% /encrypt %}}',
    'condition.md': '{% if page.beta %}\n\nText\n\n{% endif %}',
    'unless.md': 'a {%- unless site.open -%} Text {%- endunless -%}',
    'login.md': '{{< login-required >}}\n\nText\n\n{{< /login-required >}}',
    'code.md': '```\n{% if a %}\n```\n\n`{% if b %}`\n\n{% raw %}{% if c %}{% endraw %}',
    'shown.md': '{{< figure src="/a.png" >}}\n\n{% include a.html %}\n\n[members](/a) of <b>us</b>',
    'shown.mdx': '<Callout>\n\nText\n\n</Callout>',
  };
  const { states, notesOf } = await importFiles(
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        yaml(name, 'date: 2020-01-01').replace('Text', text),
      ]),
    ),
  );
  const published = Object.keys(states).filter((name) => states[name] === 'published');
  expect(published).toEqual(['code.md', 'shown.md', 'shown.mdx']);
  expect(notesOf('hugo.md')).toContain(
    'Its part private may be for some visitors only: imported as a draft.',
  );
});
