import { withFrontMatter } from '@app/contract/blog/front-matter';
import { isSlug, writtenExcerpt } from '@app/contract/blog/posts';
import * as v from 'valibot';
import { toIso } from '../../clock.ts';
import { postPath } from '../pages/post-paths.ts';
import type { MarkdownFile } from './front-matter.ts';
import { isPostId } from './post-id.ts';
import type { SourcePost } from './source.ts';

export interface ExportedPost {
  id: string;
  slug: string;
  title: string;
  excerpt: string;
  content: string;
  coverImage: string | null;
  tags: readonly { name: string }[];
  /** Latest first. */
  oldSlugs: readonly string[];
  published: boolean;
  scheduledAt: number | null;
  /** '' after the author's account was deleted. */
  authorEmail: string;
  createdAt: number;
  updatedAt: number;
}

export function formatPost(post: ExportedPost): string {
  const { id, slug, title, excerpt, content, coverImage, tags, authorEmail } = post;
  const { published, scheduledAt, oldSlugs } = post;
  return withFrontMatter(
    {
      title,
      slug,
      ...(oldSlugs.length > 0 && { aliases: oldSlugs.map(postPath) }),
      date: toIso(post.createdAt),
      updated: toIso(post.updatedAt),
      ...(authorEmail !== '' && { author: authorEmail }),
      ...(writtenExcerpt(post) && { excerpt }),
      ...(coverImage !== null && { cover: coverImage }),
      ...(tags.length > 0 && { tags: tags.map(({ name }) => name) }),
      published,
      ...(scheduledAt !== null && { scheduled: toIso(scheduledAt) }),
      id,
    },
    content,
  );
}

/** Strict, because another field, such as `draft`, may withhold the post. */
const exportedPost = v.strictObject({
  title: v.string(),
  slug: v.string(),
  aliases: v.optional(v.array(v.string()), []),
  date: v.pipe(v.string(), v.isoTimestamp()),
  updated: v.pipe(v.string(), v.isoTimestamp()),
  author: v.optional(v.string(), ''),
  excerpt: v.optional(v.string(), ''),
  cover: v.optional(v.string(), ''),
  tags: v.optional(v.array(v.string()), []),
  published: v.boolean(),
  scheduled: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  id: v.pipe(v.string(), v.check(isPostId)),
});

/** Null for a Markdown file of another system. */
export function readExportedPost(name: string, { values, text }: MarkdownFile): SourcePost | null {
  const parsed = v.safeParse(exportedPost, values);
  if (!parsed.success) return null;
  const { id, title, slug, excerpt, cover, tags, published, author, aliases } = parsed.output;
  const { date, updated, scheduled } = parsed.output;
  return {
    ...{ name, id, title, slug, excerpt, cover, tags, published, text },
    oldSlugs: oldSlugsIn(aliases),
    format: 'exact',
    createdAt: Date.parse(date),
    updatedAt: Date.parse(updated),
    scheduledAt: scheduled === undefined ? null : Date.parse(scheduled),
    author: author || null,
    notes: [],
  };
}

/** Slugs in paths below /blog. Other paths cannot redirect on this site. */
export const oldSlugsIn = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const slug = /^\/blog\/([^/]+)\/?$/.exec(path)?.[1] ?? '';
    return isSlug(slug) ? [slug] : [];
  });
