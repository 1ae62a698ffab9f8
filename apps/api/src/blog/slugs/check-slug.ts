import { type Post, type SlugState, slugProblem } from '@app/contract/blog/posts';
import type { Deps } from '../deps.ts';
import { findSlugOwner } from '../posts/old-slugs.ts';

/**
 * Whether a save with this slug would be refused. Does not reveal whose post has or had the slug,
 * because it may be another author's draft.
 * @param edited the post that would get the slug; undefined for a new one
 */
export function checkSlug(
  { db }: Pick<Deps, 'db'>,
  slug: string,
  edited: Post | undefined,
): SlugState {
  const problem = slugProblem(slug);
  if (problem) return problem;
  const owner = findSlugOwner(db, slug);
  return owner === undefined || owner === edited?.id ? 'free' : 'taken';
}
