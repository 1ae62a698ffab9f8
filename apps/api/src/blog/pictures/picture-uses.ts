import { pictureIdsIn } from '@app/contract/blog/pictures';
import { limits } from '@app/contract/limits';
import type { Transaction } from '@app/db/open';
import { pictureUses } from '@app/db/schema/pictures';
import { and, eq, sql } from 'drizzle-orm';

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
