import type { Author, Post } from '@app/contract/blog';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';

/** What a post shows of its author. */
export const authorColumns = {
  fullName: profiles.fullName,
  avatarUrl: profiles.avatarUrl,
};

interface AuthorRow {
  fullName: string | null;
  avatarUrl: string | null;
}

export const authorOf = ({ fullName, avatarUrl }: AuthorRow): Author => ({ fullName, avatarUrl });

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
  version: blogPosts.version,
  revision: blogPosts.revision,
  createdAt: blogPosts.createdAt,
  updatedAt: blogPosts.updatedAt,
  ...authorColumns,
};

type PostRow = Pick<
  typeof blogPosts.$inferSelect,
  Exclude<keyof typeof postColumns, keyof AuthorRow>
> &
  AuthorRow;

export const toPost = ({ version, revision, fullName, avatarUrl, ...row }: PostRow): Post => ({
  ...row,
  // The name that the spec has for nobody (§7).
  authorId: row.authorId ?? 'system',
  author: authorOf({ fullName, avatarUrl }),
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
});
