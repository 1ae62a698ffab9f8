import { monthOf } from '@app/contract/blog/posts';
import type { Database } from '@app/db/open';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { toIso } from '../../clock.ts';

/** In UTC, as in 2025-03. */
export const monthOfTime = (time: number): string => monthOf(toIso(time));

/** Milliseconds; `to` is the first millisecond of the next month. */
export function rangeOfMonth(month: string): { from: number; to: number } {
  const start = new Date(`${month}-01T00:00:00Z`);
  const to = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
  return { from: start.getTime(), to };
}

/**
 * Prepares a query for the months with posts, newest first. It jumps from month to month in an
 * index; DISTINCT would read every post.
 * @param newestBefore builds a query for the time of the newest post before a time
 */
export function prepareMonths(db: Database, newestBefore: (time: SQL) => SQLWrapper) {
  const startOfMonth = sql`1000 * unixepoch(newest.at / 1000.0, 'unixepoch', 'start of month')`;
  const newest = sql`(
    with recursive newest (at) as (
      select (${newestBefore(sql`${Number.MAX_SAFE_INTEGER}`)})
      union all
      select (${newestBefore(startOfMonth)}) from newest where newest.at is not null
    )
    select at from newest where at is not null
  )`;
  return db
    .select({ month: sql<string>`strftime('%Y-%m', at / 1000.0, 'unixepoch')` })
    .from(newest)
    .prepare();
}
