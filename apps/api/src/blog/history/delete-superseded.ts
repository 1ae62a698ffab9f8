import { setImmediate } from 'node:timers/promises';
import { day } from '@app/contract/durations';
import { blogPostRevisions } from '@app/db/schema/blog';
import { whenUnlocked } from '@app/db/write-transaction';
import { and, inArray, isNull, lt, sql } from 'drizzle-orm';
import { batchesBySize } from '../../batches.ts';
import type { Deps } from '../deps.ts';
import { isSuperseded } from '../revisions/revisions.ts';

/** Revisions per query, which takes a few milliseconds. */
const batchRows = 500;

/** Bytes of text per deletion. Deleting a text takes as long as reading it. */
const batchBytes = 2_097_152;

// Plain SQL, because Drizzle omits table names, and a bound number would be a float.
const hasLaterOfDay = sql<number>`(
  select later.created_at / ${sql.raw(String(day))} = blog_post_revisions.created_at / ${sql.raw(String(day))}
  from blog_post_revisions as later
  where later.post_id = blog_post_revisions.post_id and later.version > blog_post_revisions.version
  order by later.version
  limit 1
)`;

const isBase = sql<number>`exists (
  select 1 from blog_post_drafts
  where blog_post_drafts.post_id = blog_post_revisions.post_id
    and blog_post_drafts.base_version = blog_post_revisions.version
)`;

/**
 * Deletes revisions that are older than a day. Keeps the last one of each day (UTC), those that are
 * never superseded, and those that are needed to merge unsaved text.
 */
export async function deleteSupersededRevisions({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const { id, createdAt, bytes, name } = blogPostRevisions;
  for (let last = { createdAt: 0, id: '' }; ; ) {
    const isNext = sql`(${createdAt}, ${id}) > (${last.createdAt}, ${last.id})`;
    const rows = db
      .select({ id, createdAt, bytes, hasLaterOfDay, isBase })
      .from(blogPostRevisions)
      .where(and(isNull(name), lt(createdAt, clock.now() - day), isNext))
      .orderBy(createdAt, id)
      .limit(batchRows)
      .all();
    const superseded = rows.filter((row) => row.hasLaterOfDay && !row.isBase);
    for (const batch of batchesBySize(superseded, batchBytes, (row) => row.bytes)) {
      const ids = batch.map((row) => row.id);
      const deletion = db.delete(blogPostRevisions).where(and(inArray(id, ids), isSuperseded));
      await whenUnlocked(db, () => deletion.run());
      await setImmediate();
    }
    const end = rows.at(-1);
    if (!end || rows.length < batchRows) return;
    last = end;
    await setImmediate();
  }
}
