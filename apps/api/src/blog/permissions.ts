import type { SignedIn } from '../accounts/sessions/sessions.ts';

interface Readable {
  published: boolean;
  authorId: string | null;
  unpublishedBy: string | null;
}

/**
 * Drafts are readable by their author, staff, and the writer who unpublished them: every writer can
 * unpublish every post (spec §6), and must be able to undo it.
 */
export const mayRead = (
  { published, authorId, unpublishedBy }: Readable,
  user: Pick<SignedIn, 'userId' | 'role'> | null,
): boolean =>
  published ||
  (user !== null &&
    (user.userId === authorId || user.userId === unpublishedBy || user.role === 'staff'));
