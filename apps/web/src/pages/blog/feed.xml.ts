import type { FeedPost } from '@app/contract/blog/pages';
import { company } from '@app/site/company';
import type { APIRoute } from 'astro';
import { pageData } from '../../../renderer/page-data.ts';
import { escapeXml, xmlResponse } from '../../head/xml.ts';

export const prerender = false;

/** A tag URI (RFC 4151), which stays when the slug changes. */
const idOf = (post: FeedPost): string =>
  `tag:${company.domain},${company.founded}:post/${escapeXml(post.id)}`;

/** The latest posts as Atom (RFC 4287). */
export const GET: APIRoute = ({ locals }) => {
  const { origin, page } = pageData(locals, 'feed');
  const entry = (post: FeedPost): string => {
    const url = escapeXml(`${origin}/blog/${post.slug}`);
    const content =
      post.bodyHtml === null ? '' : `<content type="html">${escapeXml(post.bodyHtml)}</content>`;
    return `<entry><id>${idOf(post)}</id><title>${escapeXml(post.title)}</title><link href="${url}"/><published>${post.createdAt}</published><updated>${post.updatedAt}</updated><author><name>${escapeXml(post.author.name)}</name></author><summary>${escapeXml(post.excerpt)}</summary>${content}</entry>`;
  };
  // Atom requires a date even without entries.
  const updated = page.posts
    .map((post) => post.updatedAt)
    .reduce(
      (newest, time) => (time > newest ? time : newest),
      `${company.founded}-01-01T00:00:00Z`,
    );
  return xmlResponse(
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${escapeXml(origin)}/"><id>${escapeXml(origin)}/blog</id><title>${escapeXml(company.name)} blog</title><subtitle>Insights and updates from our team</subtitle><link href="${escapeXml(origin)}/blog"/><link rel="self" href="${escapeXml(origin)}/blog/feed.xml"/><updated>${updated}</updated>${page.posts.map(entry).join('')}</feed>`,
    'application/atom+xml',
  );
};
