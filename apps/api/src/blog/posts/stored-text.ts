import type { DatabaseOrTransaction } from '@app/db/open';
import type { blogPosts } from '@app/db/schema/blog';
import { sql } from 'drizzle-orm';

/** The parts of a post that are rendered from its content. */
export interface RenderedTexts {
  html: string;
  text: string;
  outlineHtml: string | null;
}

type Texts = Pick<typeof blogPosts.$inferSelect, 'title' | 'excerpt' | 'content'>;

export const bytesOf = ({ title, excerpt, content }: Texts): number =>
  Buffer.byteLength(title) + Buffer.byteLength(excerpt) + Buffer.byteLength(content);

export const renderedBytesOf = ({ html, text, outlineHtml }: RenderedTexts): number =>
  Buffer.byteLength(html) + Buffer.byteLength(text) + Buffer.byteLength(outlineHtml ?? '');

/** SQLite's octet_length does not read the texts. */
const ofBody = sql.raw(
  'ifnull(octet_length(html), 0) + ifnull(octet_length(text), 0) + ifnull(octet_length(outline_html), 0)',
);

export const storedBodyBytes = (db: DatabaseOrTransaction, postId: string): number =>
  db.get<{ bytes: number } | undefined>(
    sql`select ${ofBody} as bytes from blog_post_bodies where post_id = ${postId}`,
  )?.bytes ?? 0;

/**
 * The bytes of all texts that an account makes the site store: its posts, also in the trash, and
 * their HTML; every version that it has saved; and its unsaved texts. Reads a row per post.
 */
export const storedTextBytes = (db: DatabaseOrTransaction, userId: string): number =>
  db.get<{ bytes: number }>(sql`select
    (
      select ifnull(sum(
        octet_length(title) + octet_length(excerpt) + octet_length(content) + ${ofBody}
      ), 0)
      from blog_posts left join blog_post_bodies on blog_post_bodies.post_id = blog_posts.id
      where author_id = ${userId}
    )
    + ifnull((select bytes from blog_history_sizes where user_id = ${userId}), 0)
    + (select ifnull(sum(bytes), 0) from blog_post_drafts where user_id = ${userId})
    as bytes`).bytes;
