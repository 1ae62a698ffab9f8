import { pictureIdsIn } from '@app/contract/blog/pictures';
import { limits } from '@app/contract/limits';
import type { Transaction } from '@app/db/open';
import { pictureUses } from '@app/db/schema/pictures';
import { and, eq, type SQL, sql } from 'drizzle-orm';

interface Texts {
  content: string;
  coverImage: string | null;
}

/**
 * Records which pictures a revision refers to, in the transaction that writes it. A foreign key
 * deletes the rows with the revision.
 */
export function addUsesOfRevision(tx: Transaction, revisionId: string, texts: Texts): void {
  for (const pictureId of existingIn(tx, texts)) {
    tx.insert(pictureUses).values({ pictureId, revisionId }).run();
  }
}

/** The same for unsaved text; replaces the uses recorded for it before. */
export function replaceUsesOfDraft(
  tx: Transaction,
  { userId: draftUserId, id: draftId }: { userId: string; id: string },
  texts: Texts,
): void {
  tx.delete(pictureUses)
    .where(and(eq(pictureUses.draftUserId, draftUserId), eq(pictureUses.draftId, draftId)))
    .run();
  for (const pictureId of existingIn(tx, texts)) {
    tx.insert(pictureUses).values({ pictureId, draftUserId, draftId }).run();
  }
}

function existingIn(tx: Transaction, { content, coverImage }: Texts): string[] {
  // Unsaved text may have more images than a post can have.
  const ids = [...pictureIdsIn(coverImage ?? '', content)].slice(0, limits.images + 1);
  if (ids.length === 0) return [];
  return tx
    .all<{ id: string }>(
      sql`select id from pictures where id in (select value from json_each(${JSON.stringify(ids)}))`,
    )
    .map(({ id }) => id);
}

/**
 * Whether a text uses the picture. A picture belongs to an account. If that was deleted, only the
 * current text of a published post counts, or of a draft that has no author either. Plain SQL,
 * because Drizzle omits table names.
 */
export const isUsed: SQL = sql`exists (
  select 1 from picture_uses
  where picture_uses.picture_id = pictures.id and (pictures.user_id is not null or exists (
    select 1 from blog_post_revisions as revision
    join blog_posts as post on post.id = revision.post_id
    where revision.id = picture_uses.revision_id
      and (post.published = 1 or (post.author_id is null and post.deleted_at is null))
      and not exists (
        select 1 from blog_post_revisions as newer
        where newer.post_id = revision.post_id and newer.version > revision.version
      )
  ))
)`;
