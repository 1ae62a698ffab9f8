import type { SignedIn } from '../accounts/sessions.ts';

/** A draft is its author's and the staff's; what is published is everybody's. */
export const mayRead = (
  post: { published: boolean; authorId: string | null },
  user: Pick<SignedIn, 'userId' | 'role'> | null,
): boolean =>
  post.published || (user !== null && (user.userId === post.authorId || user.role === 'staff'));
