import type { FeedPost } from '@app/contract/blog/pages';
import { expect, test } from 'vitest';
import { atom, jsonFeed, rss, withAbsoluteUrls } from './feeds.ts';

const origin = 'https://site.example';

const post: FeedPost = {
  id: 'p1',
  slug: 'first',
  title: 'Tips & <b>tricks</b> ]]> ]]> \u0007end',
  excerpt: 'About 1 < 2 ]]> ]]>',
  coverImage: null,
  tags: [{ slug: 'pipes', name: 'Pipes' }],
  published: true,
  authorId: 'ann',
  author: { name: 'Ann ]]> ]]> & Co', fullName: null, avatarUrl: null },
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-02T10:00:00.000Z',
  scheduledAt: null,
  droppedSchedule: null,
  bodyHtml: '<p dir="auto">See <a href="/contact?a=1&amp;b=2#x">this</a></p>\n',
};

/** Only the text of CDATA sections and character data. */
const textOf = (xml: string): string =>
  xml
    .replace(/<!\[CDATA\[(.*?)\]\]>/gs, (_, text: string) => text.replaceAll('<', '\u0001'))
    .replace(/<[^>]*>/g, '');

test('makes URLs in the body absolute', () => {
  const absolute = (html: string) => withAbsoluteUrls(html, `${origin}/blog/first`);
  expect(absolute('<a href="/contact?a=1&amp;b=2#x">')).toBe(
    `<a href="${origin}/contact?a=1&amp;b=2#x">`,
  );
  expect(absolute('<a href="#fn-1">')).toBe(`<a href="${origin}/blog/first#fn-1">`);
  expect(absolute('<a href="other">')).toBe(`<a href="${origin}/blog/other">`);
  expect(absolute('<a href="mailto:a@b.example">')).toBe('<a href="mailto:a@b.example">');
  expect(absolute('<img src="/p/1.webp" srcset="/p/1.webp 480w, /p/2.webp 960w" alt="src=">')).toBe(
    `<img src="${origin}/p/1.webp" srcset="${origin}/p/1.webp 480w, ${origin}/p/2.webp 960w" alt="src=">`,
  );
  expect(absolute('<a href="/&quot;onclick=&quot;">')).toBe(`<a href="${origin}/%22onclick=%22">`);
  expect(absolute('<p> href=&quot;/x&quot;</p>')).toBe('<p> href=&quot;/x&quot;</p>');
});

test('ids do not change with the slug, and are the same in all formats', () => {
  const id = /tag:[^<"\s]+:post\/p1/;
  const renamed = { ...post, slug: 'renamed' };
  const ids = [rss, atom, jsonFeed].flatMap((write) => [
    id.exec(write(origin, [post]))?.[0],
    id.exec(write(origin, [renamed]))?.[0],
  ]);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^tag:/);
});

test.each([
  ['RSS', rss],
  ['Atom', atom],
])('%s: hostile texts cannot break out of their element', (_format, write) => {
  const text = textOf(write(origin, [post]));
  expect(text).not.toContain('\u0007');
  expect(text).not.toContain(']]>');
  expect(text).toContain('end');
});

test('the JSON feed has unescaped texts', () => {
  const feed = JSON.parse(jsonFeed(origin, [post]));
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    language: 'en',
    feed_url: `${origin}/blog/feed.json`,
    home_page_url: `${origin}/blog`,
  });
  expect(feed.items[0]).toMatchObject({
    url: `${origin}/blog/first`,
    title: post.title,
    summary: post.excerpt,
    authors: [{ name: post.author.name }],
    tags: ['Pipes'],
    date_published: post.createdAt,
    date_modified: post.updatedAt,
    content_html: `<p dir="auto">See <a href="${origin}/contact?a=1&amp;b=2#x">this</a></p>\n`,
  });
});

test('writes tags as categories, and escapes their names', () => {
  const tagged = { ...post, tags: [{ slug: 'pipes', name: 'A & <b>"B"</b>\u0007 ]]>' }] };
  expect(rss(origin, [tagged])).toContain(
    '<category>A &amp; &lt;b&gt;"B"&lt;/b&gt; ]]&gt;</category>',
  );
  expect(atom(origin, [tagged])).toContain(
    '<category label="A &amp; ‹b>&quot;B&quot;‹/b> ]]>" term="pipes"/>',
  );
});

test('a feed without posts has a date and is always the same', () => {
  for (const write of [rss, atom, jsonFeed]) {
    expect(write(origin, [])).toBe(write(origin, []));
    expect(write(origin, [])).not.toMatch(/Invalid|undefined|null/);
  }
  expect(rss(origin, [])).toMatch(/<lastBuildDate>\w+, 01 Jan \d{4}/);
});

test('uses the excerpt as the text of a post that is too large for the feed', () => {
  const [item] = JSON.parse(jsonFeed(origin, [{ ...post, bodyHtml: null }])).items;
  expect(item.content_html).toBe('<p>About 1 &lt; 2 ]]&gt; ]]&gt;</p>');
});
