import type { Post } from '@app/contract/blog';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';

/**
 * Who may write: everybody who is signed in (spec §6), or with AUTHORING=team the
 * staff alone. Writers may change each other's published posts, as the spec shows
 * the controls on every post.
 */
export const mayWrite = ({ authoring }: Deps['settings'], user: SignedIn): boolean =>
  authoring === 'everyone' || user.role === 'staff';

/** A draft is its author's and the staff's; what is published is everybody's. */
export const mayRead = (post: Post, user: SignedIn | null): boolean =>
  post.published || (user !== null && (user.userId === post.authorId || user.role === 'staff'));
