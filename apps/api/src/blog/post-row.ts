import type { Post } from '@app/contract/blog';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { toAuthor } from '../author.ts';

/** What a post shows of its author. */
export const authorColumns = {
  fullName: profiles.fullName,
  username: profiles.username,
  avatarUrl: profiles.avatarUrl,
};

/** A post's columns with its author's public name, for every query that makes a `Post`. */
export const postColumns = {
  id: blogPosts.id,
  slug: blogPosts.slug,
  title: blogPosts.title,
  excerpt: blogPosts.excerpt,
  content: blogPosts.content,
  coverImage: blogPosts.coverImage,
  published: blogPosts.published,
  authorId: blogPosts.authorId,
  unpublishedBy: blogPosts.unpublishedBy,
  version: blogPosts.version,
  revision: blogPosts.revision,
  createdAt: blogPosts.createdAt,
  updatedAt: blogPosts.updatedAt,
  ...authorColumns,
};

type AuthorRow = Pick<typeof profiles.$inferSelect, keyof typeof authorColumns>;

type PostRow = Pick<
  typeof blogPosts.$inferSelect,
  Exclude<keyof typeof postColumns, keyof AuthorRow>
> &
  AuthorRow;

export const toPost = ({
  unpublishedBy,
  version,
  revision,
  fullName,
  username,
  avatarUrl,
  ...row
}: PostRow): Post => ({
  ...row,
  // The name that the spec has for nobody (§7).
  authorId: row.authorId ?? 'system',
  author: toAuthor({ fullName, username, avatarUrl }),
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
});
