import type { FeedPost } from '@app/contract/blog/pages';
import { plainExcerpt } from '@app/contract/blog/plain-excerpt';
import { unescapeHtml } from '@app/contract/blog/unescape-html';
import { company } from '@app/site/company';
import { blog } from '@app/site/pages/blog';
import { Feed, type Item } from 'feed';
import { escapeXml, withoutControls } from '../../head/xml.ts';

const language = 'en';

/** A tag URI (RFC 4151), which does not change with the slug. */
const idOf = ({ id }: FeedPost): string => `tag:${company.domain},${company.founded}:post/${id}`;

/** Escapes `]]>`, because xml-js handles only the first one in a CDATA section. */
const cdata = (text: string): string => withoutControls(text).replaceAll(']]>', ']]&gt;');

/**
 * Makes URLs absolute, because feed readers show the text on other sites.
 * @param html the body of a post, in whose text quotes are escaped
 */
export function withAbsoluteUrls(html: string, base: string): string {
  const absolute = (url: string) => URL.parse(url, base)?.href ?? url;
  return html.replace(/ (href|src|srcset)="([^"]*)"/g, (_, name: string, value: string) => {
    const text = unescapeHtml(value);
    const urls =
      name === 'srcset'
        ? text.replace(
            /(^|, )(\S+)/g,
            (_candidate, before: string, url: string) => before + absolute(url),
          )
        : absolute(text);
    return ` ${name}="${escapeXml(urls)}"`;
  });
}

/** The library's type allows only objects, but it writes any value. */
const extension = (name: string, value: unknown) => ({
  name,
  objects: value as Record<string, unknown>,
});

const categoriesOf = ({ tags }: FeedPost) =>
  tags.map(({ slug, name }) => ({ name: withoutControls(name), term: slug }));

/** The fields of an entry that all formats share. */
function itemOf(origin: string, post: FeedPost) {
  const link = `${origin}/blog/${post.slug}`;
  const html = post.bodyHtml ?? `<p>${escapeXml(plainExcerpt(post.excerpt))}</p>`;
  return {
    id: idOf(post),
    link,
    date: new Date(post.updatedAt),
    published: new Date(post.createdAt),
    content: cdata(withAbsoluteUrls(html, link)),
    category: categoriesOf(post),
  };
}

function createFeed(
  origin: string,
  path: string,
  posts: readonly FeedPost[],
  texts: (
    post: FeedPost,
  ) => Pick<Item, 'title' | 'description' | 'author' | 'category' | 'extensions'>,
): Feed {
  const updated = posts
    .map((post) => post.updatedAt)
    .reduce(
      (newest, time) => (time > newest ? time : newest),
      `${company.founded}-01-01T00:00:00Z`,
    );
  const feed = new Feed({
    id: `${origin}/blog`,
    link: `${origin}/blog`,
    feed: `${origin}${path}`,
    feedLinks: { json: `${origin}${path}` },
    title: blog.feed,
    description: blog.subtitle,
    language,
    image: `${origin}/apple-touch-icon.png`,
    copyright: `© ${company.name}`,
    // Formats require a date even if there are no entries.
    updated: new Date(updated),
    generator: false,
  });
  for (const post of posts) feed.addItem({ ...itemOf(origin, post), ...texts(post) });
  return feed;
}

/** RSS 2.0. Titles are plain text, and descriptions are HTML (RSS Best Practices Profile). */
export function rss(origin: string, posts: readonly FeedPost[]): string {
  const feed = createFeed(origin, '/blog/rss.xml', posts, ({ title, excerpt, author }) => ({
    title: cdata(title),
    description: cdata(escapeXml(plainExcerpt(excerpt))),
    // Not `author`, which is an email address in RSS.
    extensions: [extension('dc:creator', { _cdata: cdata(author.name) })],
  }));
  return `${feed.rss2()}\n`;
}

/** Atom (RFC 4287). Titles and summaries are HTML. */
export function atom(origin: string, posts: readonly FeedPost[]): string {
  const feed = createFeed(origin, '/blog/atom.xml', posts, (post) => ({
    title: escapeXml(post.title),
    description: escapeXml(plainExcerpt(post.excerpt)),
    author: [{ name: withoutControls(post.author.name) }],
    // Replaces <, which the library does not escape in attributes.
    category: categoriesOf(post).map(({ name, term }) => ({
      name: name.replaceAll('<', '‹'),
      term,
    })),
  }));
  return `${feed.atom1().replace('<feed ', `<feed xml:lang="${language}" `)}\n`;
}

/** JSON Feed 1.1. The library writes version 1, so this adds the fields that differ. */
export function jsonFeed(origin: string, posts: readonly FeedPost[]): string {
  const feed = createFeed(origin, '/blog/feed.json', posts, ({ title, excerpt, author }) => ({
    title,
    description: plainExcerpt(excerpt),
    extensions: [extension('authors', [{ name: author.name }])],
  }));
  feed.addExtension(extension('version', 'https://jsonfeed.org/version/1.1'));
  feed.addExtension(extension('language', language));
  return `${feed.json1()}\n`;
}
