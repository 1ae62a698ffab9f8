import type { Post, PublishingStatus } from '@app/contract/blog/posts';
import type { Deps } from '../deps.ts';
import { pathsOf, postPath } from '../pages/post-paths.ts';

/** What readers get of a post right now, according to the published files. */
export async function findPublishingStatus(
  { publisher, siteFiles }: Pick<Deps, 'publisher' | 'siteFiles'>,
  { slug, published, createdAt }: Pick<Post, 'slug' | 'published' | 'createdAt'>,
): Promise<PublishingStatus> {
  const failures = publisher.failures();
  const pending = pathsOf(slug, Date.parse(createdAt)).filter(
    (path) => failures.has(path) || publisher.isAhead(path),
  );
  if (pending.length > 0) return { state: 'pending', paths: pending };
  if (!published) return { state: 'draft' };
  const path = postPath(slug);
  const file = await siteFiles.load(path);
  return file
    ? { state: 'live', path, hash: file.representations.hash }
    : { state: 'pending', paths: [path] };
}
