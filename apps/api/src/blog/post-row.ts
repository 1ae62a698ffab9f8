import type { Post } from '@app/contract/blog';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';

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
  createdAt: blogPosts.createdAt,
  updatedAt: blogPosts.updatedAt,
  fullName: profiles.fullName,
  avatarUrl: profiles.avatarUrl,
};

type PostRow = Pick<
  typeof blogPosts.$inferSelect,
  Exclude<keyof typeof postColumns, 'fullName' | 'avatarUrl'>
> & { fullName: string | null; avatarUrl: string | null };

export const toPost = ({ version, fullName, avatarUrl, ...row }: PostRow): Post => ({
  ...row,
  // The name that the spec has for nobody (§7).
  authorId: row.authorId ?? 'system',
  author: { fullName, avatarUrl },
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
});
