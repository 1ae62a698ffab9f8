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
    expect.stringMatching(
      /^aliases.md: Skipped: It cannot be read: its front matter cannot be read/,
    ),
    expect.stringMatching(
      /^broken.md: Skipped: It cannot be read: its front matter cannot be read/,
    ),
    'content/posts/_index.md: Skipped: It is a section page.',
    'no-front-matter.md: Skipped: It has no front matter.',
    '_drafts/idea.md: It has no valid date, so it is dated today.',
    'future.md: Its time, 2030-01-01T00:00:00.000Z, is more than 366 days ahead: imported as a draft.',
    'future.md: 2 tags are left out: a post can have at most 10, of up to 40 characters.',
    'soon.md: Scheduled for 2026-06-01T10:00:00.000Z, but will stay a draft: its author has no account.',
    'src/content/blog/astro.mdx: An MDX import is left out.',
    'src/content/blog/astro.mdx: The slug "Über Uns" is not valid, so "uber-uns" is used.',
    'src/content/blog/astro.mdx: Its cover is left out: it has no http(s) URL.',
    '',
  ]);
});
