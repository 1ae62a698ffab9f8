import type { Transaction } from '@app/db/open';
import { pathsOf, pathsShownFirst, postPaths } from '../pages/post-paths.ts';
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
  /** Slugs that stop working. */
  dropped?: readonly string[];
  /** Whether it was left out of lists before, because it could not be rendered. */
  wasHidden?: boolean;
}

/**
 * Pages that show the post before or after the change. Old slugs only change with the slug or with
 * publishing. A withdrawn post leaves all pages at once; otherwise those of its slugs come `first`.
 */
export function pathsOfChange(
  tx: Transaction,
  related: RelatedPaths,
  { before, after, dropped = [], wasHidden = false }: PostVersions,
): PathsOfChange {
  if (!before.published && !after.published) return { paths: [] };
  const isRenamed = before.slug !== after.slug;
  const areOldSlugsStale = isRenamed || before.published !== after.published;
  // Also of a draft.
  const freed = [...(isRenamed ? [before.slug] : []), ...dropped].flatMap(postPaths);
  const paths = [
    ...(before.published ? pathsOf(before.slug, before.createdAt) : []),
    ...(after.published ? pathsOf(after.slug, after.createdAt) : []),
    ...freed,
    ...(areOldSlugsStale ? oldSlugsOf(tx, before.id).flatMap(postPaths) : []),
    ...relatedPaths(related, before, after, wasHidden),
  ];
  return after.published ? { paths, first: [...pathsShownFirst(after.slug), ...freed] } : { paths };
}

/** Pages of tags and of the posts beside it, if what they show of the post changes. */
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
