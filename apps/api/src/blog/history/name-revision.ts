import { blogMessages } from '@app/contract/blog/messages';
import type { RevisionNamed } from '@app/contract/blog/revision-replies';
import { limits } from '@app/contract/limits';
import type { Transaction } from '@app/db/open';
import { blogPostRevisions } from '@app/db/schema/blog';
import { writeTransaction } from '@app/db/write-transaction';
import { and, eq, isNotNull, ne } from 'drizzle-orm';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import type { QuotaRefusal } from '../posts/quotas.ts';
import { findChangeable, type PostRefusal, refuse } from '../posts/writing-access.ts';
import {
  isRevision,
  maxRevisionBytes,
  type RevisionRow,
  sumOfBytes,
} from '../revisions/revisions.ts';

/** The other half is left for revisions without a name. */
const maxNamedBytes = maxRevisionBytes / 2;

/** @param name empty to remove it */
export const nameRevision = (
  { db, clock, settings }: Pick<Deps, 'db' | 'clock' | 'settings'>,
  user: SignedIn,
  { postId, version, name }: { postId: string; version: number; name: string },
): Promise<RevisionNamed | PostRefusal> =>
  writeTransaction(db, (tx) => {
    const changeable = findChangeable(tx, settings, { user, id: postId, now: clock.now() });
    if ('refused' in changeable) return changeable;
    const { id, bytes } = blogPostRevisions;
    const revision = tx
      .select({ id, bytes })
      .from(blogPostRevisions)
      .where(isRevision({ postId, version }))
      .get();
    if (!revision) return refuse('no_revision');
    const refusal = name === '' ? null : refuseName(tx, postId, revision);
    if (refusal) return refusal;
    tx.update(blogPostRevisions)
      .set({ name: name || null })
      .where(eq(id, revision.id))
      .run();
    return { version, name: name || null };
  });

function refuseName(
  tx: Transaction,
  postId: string,
  revision: Pick<RevisionRow, 'id' | 'bytes'>,
): QuotaRefusal | null {
  const { id, bytes, name } = blogPostRevisions;
  const others = tx
    .select({ bytes })
    .from(blogPostRevisions)
    .where(and(eq(blogPostRevisions.postId, postId), isNotNull(name), ne(id, revision.id)))
    .all();
  const total = sumOfBytes([...others, revision]);
  if (others.length < limits.namedRevisions && total <= maxNamedBytes) return null;
  const megabytes = maxNamedBytes / 1_048_576;
  const detail = blogMessages.revisions.tooManyNamed(limits.namedRevisions, megabytes);
  return { refused: 'quota', detail };
}
