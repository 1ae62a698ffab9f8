import type { Post, PostSummary } from '@app/contract/blog/posts';
import { profiles } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { toAuthor } from './author.ts';

export const authorColumns = {
  fullName: profiles.fullName,
  username: profiles.username,
  avatarUrl: profiles.avatarUrl,
};

/** For a `PostSummary`. */
export const summaryColumns = {
  id: blogPosts.id,
  slug: blogPosts.slug,
  title: blogPosts.title,
  excerpt: blogPosts.excerpt,
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

/** For a `Post`. */
export const postColumns = { ...summaryColumns, content: blogPosts.content };

type AuthorRow = Pick<typeof profiles.$inferSelect, keyof typeof authorColumns>;

type Row<Columns> = Pick<
  typeof blogPosts.$inferSelect,
  Exclude<keyof Columns, keyof AuthorRow> & keyof typeof blogPosts.$inferSelect
> &
  AuthorRow;

export type SummaryRow = Row<typeof summaryColumns>;
export type PostRow = Row<typeof postColumns>;

export const toPost = ({ content, ...row }: PostRow): Post => ({ ...toSummary(row), content });

export const toSummary = ({
  unpublishedBy,
  version,
  revision,
  fullName,
  username,
  avatarUrl,
  ...row
}: SummaryRow): PostSummary => ({
  ...row,
  // For posts without an author (spec §7).
  authorId: row.authorId ?? 'system',
  author: toAuthor({ fullName, username, avatarUrl }),
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
});
