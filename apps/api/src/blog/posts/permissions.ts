import type { SignedIn } from '../../accounts/sessions/sessions.ts';

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

interface Trashed extends Omit<Readable, 'published'> {
  deletedBy: string | null;
  deletedPublished: boolean | null;
}

type Writer = Pick<SignedIn, 'userId' | 'role'>;

/** Users who could read the post before it was deleted, and the user who deleted it. */
export const mayRestore = (post: Trashed, user: Writer): boolean =>
  user.userId === post.deletedBy ||
  mayRead({ ...post, published: post.deletedPublished === true }, user);

/** Writers can delete each other's posts, but not permanently: authors can undo it for 30 days. */
export const mayErase = ({ authorId }: Pick<Readable, 'authorId'>, user: Writer): boolean =>
  user.userId === authorId || user.role === 'staff';
