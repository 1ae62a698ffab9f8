import type { EditConflict } from '@app/contract/edit-conflict';
import type { Transaction } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { and, eq, isNotNull } from 'drizzle-orm';
import { findLiveSession, type SessionUser } from '../../accounts/sessions/live-session.ts';
import { type AuthoringSettings, mayWrite } from '../../accounts/sessions/permissions.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import { isLive } from './live-posts.ts';
import { accessTo } from './permissions.ts';
import type { NoSpace, QuotaRefusal } from './quotas.ts';

export type PostRefusal =
  | {
      refused:
        | 'not_signed_in'
        | 'not_allowed'
        | 'other_account'
        | 'not_yours'
        | 'not_found'
        | 'no_revision'
        | 'slug_taken'
        | 'no_name'
        | 'busy';
    }
  | { refused: 'content' | 'schedule'; problem: string }
  | { refused: 'edit_conflict'; conflict: EditConflict }
  | QuotaRefusal
  | NoSpace;

export type StoredPost = typeof blogPosts.$inferSelect;

export const refuse = <T extends string>(refused: T) => ({ refused });

/**
 * The session's user, if they can write. Call in the transaction that writes.
 * @param account id of the account that typed the text, if known
 */
export function findWriter(
  tx: Transaction,
  settings: AuthoringSettings,
  user: SignedIn,
  now: number,
  account?: string | undefined,
): SessionUser | PostRefusal {
  const writer = findLiveSession(tx, user, now);
  if (!writer) return refuse('not_signed_in');
  if (!mayWrite(settings, writer)) return refuse('not_allowed');
  return account === undefined || account === writer.userId ? writer : refuse('other_account');
}

interface WantedPost {
  user: SignedIn;
  id: string;
  now: number;
  /** Id of the account that typed the text, if known. */
  account?: string | undefined;
  isTrashed?: boolean;
}

/** The post, if the user can change it. Call in the transaction that writes. */
export function findChangeable(
  tx: Transaction,
  settings: AuthoringSettings,
  { user, id, now, account, isTrashed = false }: WantedPost,
): { post: StoredPost; writer: SessionUser } | PostRefusal {
  const writer = findWriter(tx, settings, user, now, account);
  if ('refused' in writer) return writer;
  const post = tx
    .select()
    .from(blogPosts)
    .where(and(isTrashed ? isNotNull(blogPosts.deletedAt) : isLive, eq(blogPosts.id, id)))
    .get();
  const access = post ? accessTo(settings, post, writer) : 'none';
  if (!post || access === 'none') return refuse('not_found');
  return access === 'change' ? { post, writer } : refuse('not_yours');
}
