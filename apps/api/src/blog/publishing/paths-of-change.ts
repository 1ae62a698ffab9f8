import type { Transaction } from '@app/db/open';
import {
  monthIndexPaths,
  pathsOf,
  pathsShownFirst,
  postPath,
  postPaths,
} from '../pages/post-paths.ts';
import type { RelatedPaths } from '../pages/related-paths.ts';
import { oldSlugsOf } from '../posts/old-slugs.ts';
import type { StoredPost } from '../posts/writing-access.ts';

export interface PathsOfChange {
  paths: string[];
  first?: string[];
}

interface PostVersions {
  before: StoredPost;
  after: StoredPost;
  /** Whether lists omitted the post before, because it could not be rendered. */
  wasHidden?: boolean;
}

/**
 * Pages that show the post before or after the change. Pages of old slugs change only with the slug
 * or the publishing state. The author waits for the `first` pages; for a withdrawn post, which must
 * disappear from all pages, these are all.
 */
export function pathsOfChange(
  tx: Transaction,
  related: RelatedPaths,
  { before, after, wasHidden = false }: PostVersions,
): PathsOfChange {
  const isRenamed = before.slug !== after.slug;
  // A draft can hide a sample with the same slug.
  const hides = isRenamed ? [postPath(before.slug), postPath(after.slug)] : [];
  if (!before.published && !after.published) return { paths: hides, first: [] };
  const appears = before.published !== after.published || wasHidden;
  const areOldSlugsStale = isRenamed || before.published !== after.published;
  const former = isRenamed ? postPaths(before.slug) : [];
  const paths = [
    ...(before.published ? pathsOf(before.slug, before.createdAt) : []),
    ...(after.published ? pathsOf(after.slug, after.createdAt) : []),
    ...former,
    ...(appears ? monthIndexPaths : []),
    ...(areOldSlugsStale ? oldSlugsOf(tx, before.id).flatMap(postPaths) : []),
    ...relatedPaths(related, before, after, wasHidden),
  ];
  return after.published
    ? { paths, first: [...pathsShownFirst(after.slug), ...former] }
    : { paths };
}

/** Pages that show a post that appears or disappears, apart from those of its old slugs. */
export const pathsOfNew = (
  related: RelatedPaths,
  post: Parameters<RelatedPaths['ofPost']>[0] & { slug: string },
): string[] => [...pathsOf(post.slug, post.createdAt), ...monthIndexPaths, ...related.ofPost(post)];

/** Pages of the post's tags and neighbors, if what they show of the post changes. */
function relatedPaths(
  related: RelatedPaths,
  before: StoredPost,
  after: StoredPost,
  wasHidden: boolean,
): string[] {
  const stays = before.published && after.published && !wasHidden;
  const isSame = (field: 'title' | 'slug' | 'excerpt' | 'coverImage') =>
    before[field] === after[field];
  const hasSameLink = stays && isSame('title') && isSame('slug');
  const neighbors = hasSameLink ? [] : related.ofNeighbors(after);
  const hasSameTags = JSON.stringify(before.tags) === JSON.stringify(after.tags);
  if (hasSameLink && isSame('excerpt') && isSame('coverImage') && hasSameTags) return [];
  const tags = new Map([...before.tags, ...after.tags].map((tag) => [tag.slug, tag]));
  return [...related.ofTags([{ ...after, tags: [...tags.values()] }]), ...neighbors];
}
