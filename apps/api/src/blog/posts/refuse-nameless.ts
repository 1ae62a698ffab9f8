import type { Transaction } from '@app/db/open';
import { findName } from '../../accounts/profile/author.ts';
import type { SessionUser } from '../../accounts/sessions/live-session.ts';
import { isNewlyScheduled, type SavedPost } from './quotas.ts';
import { type PostRefusal, refuse } from './writing-access.ts';

/**
 * Asks for a name before a post is published or scheduled. Staff need none: their posts appear under
 * the company's name. Call in the transaction that writes.
 */
export function refuseNameless(
  tx: Transaction,
  { userId, role }: Pick<SessionUser, 'userId' | 'role'>,
  { before, after }: { before?: SavedPost; after: SavedPost },
): PostRefusal | null {
  const isNewlyPublished = after.published && !before?.published;
  if (role === 'staff' || !(isNewlyPublished || isNewlyScheduled(before, after))) return null;
  return findName(tx, userId) === null ? refuse('no_name') : null;
}
