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
