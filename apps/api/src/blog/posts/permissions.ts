import { blogPosts } from '@app/db/schema/blog';
import { eq, type SQL } from 'drizzle-orm';
import { type AuthoringSettings, mayWrite } from '../../accounts/sessions/permissions.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';

interface Owned {
  /** False in the trash. */
  published: boolean;
  authorId: string | null;
}

type User = Pick<SignedIn, 'userId' | 'role'>;

/** `change` includes everything that only writers do, such as seeing the history. */
export type PostAccess = 'none' | 'read' | 'change';

/**
 * What a user may do with a post. Every endpoint, page, link and scheduled publication asks this
 * when it is used. A post belongs to its author and to staff: only they change, publish, rename,
 * delete, restore and share it, and see its history. Others can read it while it is published.
 * Without an author, it belongs to staff.
 */
export function accessTo(
  settings: AuthoringSettings,
  { published, authorId }: Owned,
  user: User | null,
): PostAccess {
  const isTheirs = user !== null && (user.role === 'staff' || user.userId === authorId);
  if (isTheirs && mayWrite(settings, user)) return 'change';
  return isTheirs || published ? 'read' : 'none';
}

/** The posts that `accessTo` lets a writer change. */
export const isChangeableBy = ({ userId, role }: User): SQL | undefined =>
  role === 'staff' ? undefined : eq(blogPosts.authorId, userId);
