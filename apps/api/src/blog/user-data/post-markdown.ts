import { withFrontMatter } from '@app/contract/blog/front-matter';
import type { blogPosts } from '@app/db/schema/blog';
import { toIso } from '../../clock.ts';
import type { RevisionRow } from '../revisions/revisions.ts';

type PostRow = Pick<
  typeof blogPosts.$inferSelect,
  | 'title'
  | 'slug'
  | 'published'
  | 'scheduledAt'
  | 'excerpt'
  | 'coverImage'
  | 'tags'
  | 'content'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
  | 'deletedPublished'
>;

export function postMarkdown({ content, createdAt, updatedAt, ...post }: PostRow): string {
  const frontMatter = {
    title: post.title,
    slug: post.slug,
    published: post.deletedPublished ?? post.published,
    ...(post.scheduledAt !== null && { scheduledAt: toIso(post.scheduledAt) }),
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
    excerpt: post.excerpt,
    coverImage: post.coverImage,
    tags: post.tags.map(({ name }) => name),
    ...(post.deletedAt !== null && { deletedAt: toIso(post.deletedAt) }),
  };
  return withFrontMatter(frontMatter, content);
}

export const revisionMarkdown = ({ content, createdAt, ...revision }: RevisionRow): string =>
  withFrontMatter(
    {
      title: revision.title,
      slug: revision.slug,
      published: revision.published,
      savedAt: toIso(createdAt),
      version: revision.version,
      name: revision.name,
      excerpt: revision.excerpt,
      coverImage: revision.coverImage,
      tags: revision.tags.map(({ name }) => name),
    },
    content,
  );
