import type { Post } from '@app/contract/blog';
import type { SignedIn } from '../accounts/sessions.ts';

/** A draft is its author's and the staff's; what is published is everybody's. */
export const mayRead = (post: Post, user: SignedIn | null): boolean =>
  post.published || (user !== null && (user.userId === post.authorId || user.role === 'staff'));
