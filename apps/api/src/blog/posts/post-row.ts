import type { PostCard } from '@app/contract/blog/pages';
import type { Post, PostSummary } from '@app/contract/blog/posts';
import { blogPosts } from '@app/db/schema/blog';
import { type AuthorProfile, authorColumns, toAuthor } from '../../accounts/profile/author.ts';
import { toIso, toIsoOrNull } from '../../clock.ts';

export const summaryColumns = {
  id: blogPosts.id,
  slug: blogPosts.slug,
  title: blogPosts.title,
  excerpt: blogPosts.excerpt,
  coverImage: blogPosts.coverImage,
  tags: blogPosts.tags,
  published: blogPosts.published,
  authorId: blogPosts.authorId,
  version: blogPosts.version,
  revision: blogPosts.revision,
  createdAt: blogPosts.createdAt,
  updatedAt: blogPosts.updatedAt,
  scheduledAt: blogPosts.scheduledAt,
  droppedSchedule: blogPosts.droppedSchedule,
  ...authorColumns,
};

export const postColumns = { ...summaryColumns, content: blogPosts.content };

type Row<Columns> = Pick<
  typeof blogPosts.$inferSelect,
  Exclude<keyof Columns, keyof AuthorProfile> & keyof typeof blogPosts.$inferSelect
> &
  AuthorProfile;

export type SummaryRow = Row<typeof summaryColumns>;
export type PostRow = Row<typeof postColumns>;

export const toPost = ({ content, ...row }: PostRow): Post => ({
  ...toSummary(row),
  content,
  version: row.version,
});

export const toSummary = ({
  version,
  revision,
  fullName,
  username,
  avatarUrl,
  role,
  ...row
}: SummaryRow): PostSummary => ({
  ...row,
  // For posts without an author (spec §7).
  authorId: row.authorId ?? 'system',
  author: toAuthor({ fullName, username, avatarUrl, role }),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
  scheduledAt: toIsoOrNull(row.scheduledAt),
  droppedSchedule: toIsoOrNull(row.droppedSchedule),
});

export const toCard = ({
  id,
  content,
  tags,
  authorId,
  updatedAt,
  isSample,
  ...card
}: PostSummary & { content?: string }): PostCard => card;
