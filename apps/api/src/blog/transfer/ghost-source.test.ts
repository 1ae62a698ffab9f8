import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWriting } from '../../testing/blog.ts';
import { cliOutput, runCli } from '../../testing/cli.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { postsOf, writeSource } from '../../testing/transfer.ts';

test('imports a Ghost export', async () => {
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
  const file = writeSource({
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
              {
                id: '7',
                uuid: 'u7',
                title: 'Planned',
                slug: 'planned',
                html: '<p>Text</p>',
                status: 'scheduled',
                author_id: '1',
                created_at: '2026-01-31T10:00:00.000Z',
                published_at: '2026-06-01T10:00:00.000Z',
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
  const report = await cliOutput(app, 'posts', 'import', join(file, 'ghost.json'));
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
        '## Head\n\na \\<b> **bold**[*link*](https://example.com)\n\n1. one\n\n![A](https://example.com/a.png "The A")\n\n```js\nlet a;\n```\n\n[Example](https://example.com)',
    },
    {
      slug: 'from-mobiledoc',
      published: false,
      content:
        '**bold** & [link](https://example.com)\nend\n\n- item\n\n![](https://example.com/b.png "B")\n\n---',
    },
    {
      slug: 'planned',
      published: false,
      createdAt: Date.parse('2026-01-31T10:00:00Z'),
      scheduledAt: Date.parse('2026-06-01T10:00:00Z'),
      scheduledBy: 'ann',
    },
  ]);
  expect(report).toBe(
    [
      'Ghost export: 8 posts.',
      'Imported 4 posts (1 published, 3 drafts).',
      '4 posts skipped.',
      'Attributed to the company: 1 post by bob@example.com, who has no account here.',
      'Attributed to the company: 1 post without an author.',
      'A running server publishes them now; otherwise, the next start does.',
      '',
      'about: Skipped: It is a page, not a post.',
      'post 8: Skipped: It is not a Ghost post.',
      'empty: Skipped: Content is required',
      'broken: Skipped: Content is required',
      'from-mobiledoc: Its visibility is "paid": imported as a draft.',
      'planned: Scheduled for 2026-06-01T10:00:00.000Z.',
      '',
    ].join('\n'),
  );
});

const post = (slug: string, fields: object) => ({
  ...{ id: slug, uuid: slug, title: slug, slug, html: '<p>Text</p>' },
  ...{ status: 'published', visibility: 'public', published_at: '2020-01-31T10:00:00.000Z' },
  ...fields,
});

test('publishes only what Ghost shows to everybody', async () => {
  await using app = await makeTestApp();
  const posts = {
    shown: {},
    'shown-old': { published_at: 1_580_464_800_000, visibility: undefined },
    later: { published_at: '2026-06-01T00:00:00.000Z' },
    planned: { status: 'scheduled', published_at: '2026-06-01T00:00:00.000Z' },
    'planned-members': {
      ...{ status: 'scheduled', published_at: '2026-06-01T00:00:00.000Z' },
      visibility: 'members',
    },
    'planned-email': { status: 'scheduled', published_at: '2026-06-01T00:00:00.000Z' },
    email: {},
    sent: { status: 'sent' },
    draft: { status: 'draft' },
    'no-status': { status: null },
    'unknown-status': { status: 'Published' },
    undated: { published_at: null },
    'bad-date': { published_at: '07/08/2022' },
    ...Object.fromEntries(
      ['members', 'paid', 'tiers', 'filter', ''].map((visibility) => [
        `for-${visibility}`,
        { visibility },
      ]),
    ),
  };
  const all = Object.entries(posts).map(([slug, fields]) => post(slug, fields));
  const posts_meta = [
    { post_id: 'email', email_only: 1 },
    { post_id: 'planned-email', email_only: true },
    { post_id: 'shown', email_only: 0 },
  ];
  const path = writeSource({ 'ghost.json': { data: { posts: all, posts_meta } } });
  const report = await cliOutput(app, 'posts', 'import', join(path, 'ghost.json'));
  const stored = postsOf(app);
  expect(stored).toHaveLength(all.length);
  const slugs = (found: typeof stored) => found.map(({ slug }) => slug);
  expect(slugs(stored.filter(({ published }) => published))).toEqual(['shown', 'shown-old']);
  expect(slugs(stored.filter(({ scheduledAt }) => scheduledAt !== null))).toEqual([
    'later',
    'planned',
  ]);
  expect(report).toContain('for-tiers: Its visibility is "tiers": imported as a draft.\n');
  expect(report).toContain('planned-email: It was only for emails: imported as a draft.\n');
});

test.each([true, 'true', 1])('publishes nothing of a private Ghost site (%j)', async (value) => {
  await using app = await makeTestApp();
  const time = '2026-06-01T00:00:00.000Z';
  const posts = [post('shown', {}), post('planned', { status: 'scheduled', published_at: time })];
  const settings = [{ key: 'is_private', value }];
  const path = writeSource({ 'ghost.json': { data: { posts, settings } } });
  const report = await cliOutput(app, 'posts', 'import', join(path, 'ghost.json'));
  expect(postsOf(app)).toMatchObject([
    { published: false, scheduledAt: null },
    { published: false, scheduledAt: null },
  ]);
  expect(report).toContain('shown: Its site asked for a password: imported as a draft.\n');
});

const withUrls = post('urls', {
  html: '',
  lexical: JSON.stringify({
    root: {
      children: [
        { type: 'image', src: '__GHOST_URL__/content/images/a.png' },
        {
          type: 'paragraph',
          children: [
            {
              type: 'link',
              url: '__GHOST_URL__/about/',
              children: [{ type: 'text', text: 'us' }],
            },
          ],
        },
        { type: 'html', html: '<img src="/content/images/b.png">' },
      ],
    },
  }),
  feature_image: '__GHOST_URL__/content/images/cover.png',
  custom_excerpt: 'See __GHOST_URL__/about/',
});

test.each([
  ['from the export', [{ key: 'url', value: 'https://old.example/blog/' }], []],
  ['from --source-url', undefined, ['--source-url', 'https://old.example/blog']],
])('knows the URL of the site %s', async (_, settings, options) => {
  await using app = await makeTestApp();
  const path = writeSource({ 'ghost.json': { data: { posts: [withUrls], settings } } });
  const file = join(path, 'ghost.json');
  const report = await cliOutput(app, 'posts', 'import', file, ...options);
  expect(postsOf(app)).toMatchObject([
    {
      content:
        '![](https://old.example/blog/content/images/a.png)\n\n[us](https://old.example/blog/about/)\n\n![](https://old.example/content/images/b.png)',
      coverImage: 'https://old.example/blog/content/images/cover.png',
      excerpt: 'See https://old.example/blog/about/',
    },
  ]);
  expect(report).not.toContain('urls: ');
});

test('says that the URL of the site is missing', async () => {
  await using app = await makeTestApp();
  const path = writeSource({ 'ghost.json': { data: { posts: [withUrls] } } });
  const file = join(path, 'ghost.json');
  const report = await cliOutput(app, 'posts', 'import', file);
  expect(postsOf(app)[0]?.content).toContain('[us](/about/)');
  expect(JSON.stringify(postsOf(app))).not.toContain('GHOST');
  expect(report).toContain(
    'urls: Its pictures and links to its old site are paths: the export has no URL, so use --source-url.\nurls: Its cover is left out: it has no http(s) URL.\n',
  );
  const { exitCode, err } = await runCli(app, 'posts', 'import', file, '--source-url', 'old');
  expect([exitCode, err]).toEqual([
    2,
    expect.stringContaining('--source-url old: expected a URL such as https://old.example.'),
  ]);
});
