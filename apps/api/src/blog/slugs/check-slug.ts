import { type Post, type SlugState, slugProblem } from '@app/contract/blog/posts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { findByOldSlug } from '../posts/old-slugs.ts';
import { mayRead } from '../posts/permissions.ts';
import { findBySlugIn } from '../posts/posts.ts';

/**
 * Whether a save with this slug would be refused. Does not reveal whose post has the slug, because
 * it may be another author's draft.
 * @param edited the post that would get the slug; undefined for a new one
 */
export function checkSlug(
  { db }: Pick<Deps, 'db'>,
  user: SignedIn,
  slug: string,
  edited: Post | undefined,
): SlugState {
  const problem = slugProblem(slug);
  if (problem) return problem;
  if (slug === edited?.slug) return 'free';
  if (findBySlugIn(db, slug)) return 'taken';
  const moved = findByOldSlug(db, slug);
  const redirects = moved && moved.slug !== edited?.slug && mayRead(moved, user);
  return redirects ? 'redirects' : 'free';
}
