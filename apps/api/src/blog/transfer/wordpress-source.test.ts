import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliOutput } from '../../testing/cli.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { postsOf, writeSource } from '../../testing/transfer.ts';

test('imports a WordPress export', async () => {
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
  const path = writeSource({
    'export.xml': `<?xml version="1.0"?>
<!DOCTYPE rss [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<rss version="2.0"><channel><title>Site</title><wp:base_blog_url>https://old.example</wp:base_blog_url>
<wp:author><wp:author_login>bob</wp:author_login><wp:author_email>bob@example.com</wp:author_email></wp:author>
${item({ ...post, 'wp:post_id': '1', 'wp:post_name': 'hello', 'content:encoded': 'One\n\nTwo ]]]]><![CDATA[> \u0007', 'wp:post_date_gmt': '2019-05-06 07:08:09', 'wp:post_modified_gmt': '2019-05-07 07:08:09' }, '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta><category domain="post_tag" nicename="a-b"><![CDATA[A &amp; B]]></category><category domain="category" nicename="pipes"><![CDATA[Pipes]]></category><category domain="category" nicename="uncategorized"><![CDATA[Uncategorized]]></category><category domain="post_format" nicename="post-format-aside"><![CDATA[Aside]]></category>')}
${item({ ...post, title: 'Later', 'wp:post_id': '2', 'wp:post_name': '', 'content:encoded': 'Text', 'wp:post_date_gmt': '0000-00-00 00:00:00', 'wp:status': 'private' })}
${item({ ...post, 'wp:post_id': '3', 'wp:post_type': 'page', 'wp:post_name': 'page' })}
${item({ ...post, 'wp:post_id': '4', 'wp:status': 'trash', 'wp:post_name': 'gone' })}
${item({ ...post, 'wp:post_id': '5', 'wp:post_name': 'planned', 'content:encoded': 'Text', 'wp:post_date_gmt': '2026-06-01 10:00:00', 'wp:status': 'future' })}
${item({ ...post, 'wp:post_id': '6', 'wp:post_name': 'missed', 'content:encoded': 'Text', 'wp:post_date_gmt': '2026-02-01 10:00:00', 'wp:status': 'future' })}
${item({ title: 'cover', 'wp:post_id': '9', 'wp:post_type': 'attachment', 'wp:attachment_url': 'https://old.example/cover.png' })}
</channel></rss>`,
  });
  const report = await cliOutput(app, 'posts', 'import', join(path, 'export.xml'));
  expect(postsOf(app)).toMatchObject([
    {
      slug: 'hello',
      title: 'Hello & bye',
      content: 'One\n\nTwo ]]> \u0007',
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
    { slug: 'later', published: false, createdAt: app.clock.now(), scheduledAt: null },
    { slug: 'missed', published: false, scheduledAt: null },
    {
      slug: 'planned',
      published: false,
      createdAt: app.clock.now(),
      scheduledAt: Date.parse('2026-06-01T10:00Z'),
    },
  ]);
  expect(report).toContain(
    'page: Skipped: Its type is "page", not "post".\ngone: Skipped: Its status is "trash".\n',
  );
  expect(report).toContain(
    'missed: Its time, 2026-02-01T10:00:00.000Z, has passed: imported as a draft.\n',
  );
  expect(report).toContain('Later: Its status is "private": imported as a draft.\n');
});

test('publishes only what WordPress shows to everybody', async () => {
  await using app = await makeTestApp();
  const date = '<wp:post_date_gmt>2019-05-06 07:08:09</wp:post_date_gmt>';
  const meta = (name: string, value: string) =>
    `<wp:postmeta><wp:meta_key>${name}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
  const published = `${date}<wp:status>publish</wp:status>`;
  const items: Record<string, string> = {
    shown: published,
    'shown-meta': `${published}<wp:post_password></wp:post_password>${meta('_edit_last', '1')}${meta('_jetpack_newsletter_access', 'everybody')}${meta('_expiration-date', '4070908800')}`,
    'shown-rss': '<wp:status>publish</wp:status><pubDate>Mon, 06 May 2019 07:08:09 +0000</pubDate>',
    later: '<wp:status>publish</wp:status><wp:post_date_gmt>2026-06-01 00:00:00</wp:post_date_gmt>',
    planned:
      '<wp:status>future</wp:status><wp:post_date_gmt>2026-06-01 00:00:00</wp:post_date_gmt>',
    'planned-password':
      '<wp:status>future</wp:status><wp:post_date_gmt>2026-06-01 00:00:00</wp:post_date_gmt><wp:post_password>x</wp:post_password>',
    password: `${published}<wp:post_password>0</wp:post_password>`,
    'no-status': date,
    undated: '<wp:status>publish</wp:status>',
    'zero-date':
      '<wp:status>publish</wp:status><wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt>',
    subscribers: `${published}${meta('_jetpack_newsletter_access', 'paid_subscribers')}`,
    role: `${published}${meta('_members_access_role', 'editor')}`,
    noindex: `${published}${meta('_yoast_wpseo_meta-robots-noindex', '1')}`,
    'later-meta': `${published}${meta('_publish_at', '2026-06-01 00:00:00')}`,
    'draft-meta': `<wp:status>draft</wp:status>${date}${meta('_publish_at', '2026-06-01 00:00:00')}`,
    'rank-math': `${published}${meta('rank_math_robots', 'a:1:{i:0;s:7:"noindex";}')}`,
    'two-roles': `${published}${meta('_members_access_role', 'editor')}${meta('_members_access_role', '')}`,
    'meta-draft': `${published}${meta('draft', '1')}`,
    expired: `${published}${meta('_expiration-date', '1577836800')}`,
    ...Object.fromEntries(
      ['draft', 'private', 'pending', 'inherit', 'archive', 'Publish', 'publish,private'].map(
        (status) => [`status-${status}`, `${date}<wp:status>${status}</wp:status>`],
      ),
    ),
  };
  const texts: Record<string, string> = {
    'shown-block': '<!-- wp:paragraph --><p>Text [1] [gallery]</p><!-- /wp:paragraph -->',
    premium:
      '<!-- wp:premium-content/container --><p>Text</p><!-- /wp:premium-content/container -->',
    paywall: '<p>Text</p><!-- wp:jetpack/paywall /--><p>More</p>',
    hidden:
      '<!-- wp:paragraph {"metadata":{"blockVisibility":false}} --><p>Text</p><!-- /wp:paragraph -->',
    shortcode: 'Text [member]More[/member]',
    'hide-post': 'Text [hidepost]More[/hidepost]',
    's2-member': 'Text [s2If current_user_can(access_s2member_level1)]More[/s2If]',
    'logged-in': 'Text [logged_in]More[/logged_in]',
    'shown-shortcode': 'Text [clock] [block id="1"] [button url="/"]More[/button]',
    restrict: 'Text [restrict level="1"]More[/restrict]',
  };
  for (const name of Object.keys(texts)) items[name] = published;
  const path = writeSource({
    'export.xml': `<?xml version="1.0"?>
<rss version="2.0"><channel>${Object.entries(items)
      .map(
        ([name, fields], index) =>
          `<item><title>${name}</title><wp:post_id>${index}</wp:post_id><wp:post_type>post</wp:post_type><content:encoded><![CDATA[${texts[name] ?? 'Text'}]]></content:encoded>${fields}</item>`,
      )
      .join('\n')}</channel></rss>`,
  });
  const report = await cliOutput(app, 'posts', 'import', join(path, 'export.xml'));
  const posts = postsOf(app);
  const titles = (found: typeof posts) => found.map(({ title }) => title).sort();
  expect(posts).toHaveLength(Object.keys(items).length);
  expect(titles(posts.filter((post) => post.published))).toEqual([
    'shown',
    'shown-block',
    'shown-meta',
    'shown-rss',
    'shown-shortcode',
  ]);
  expect(titles(posts.filter(({ scheduledAt }) => scheduledAt !== null))).toEqual([
    'later',
    'later-meta',
    'planned',
  ]);
  // Only a plain draft needs no explanation.
  const explained = titles(posts).filter((title) => report.includes(`\n${title}: `));
  expect(titles(posts).filter((title) => !explained.includes(title))).toEqual([
    ...['draft-meta', 'meta-draft', 'shown', 'shown-rss', 'shown-shortcode'],
    'status-draft',
  ]);
});
