import type { SignedIn } from '../accounts/sessions/sessions.ts';

interface Readable {
  published: boolean;
  authorId: string | null;
  unpublishedBy: string | null;
}

/**
 * What is published is everybody's. A draft is its author's and the staff's, and of the writer who
 * unpublished it: every writer has the controls of every published post (spec §6), so whoever
 * takes a post back can put it back.
 */
export const mayRead = (
  { published, authorId, unpublishedBy }: Readable,
  user: Pick<SignedIn, 'userId' | 'role'> | null,
): boolean =>
  published ||
  (user !== null &&
    (user.userId === authorId || user.userId === unpublishedBy || user.role === 'staff'));
