import { setImmediate } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open.ts';
import { whenUnlocked } from './write-transaction.ts';

/** Deleting this many small rows takes a few milliseconds. */
const smallRows = 500;

/**
 * Deletes matching rows in batches, so that requests wait for one batch at most.
 * @param batchRows should be lower for rows with long texts
 */
export async function deleteInBatches(
  db: Database,
  table: SQLiteTable,
  condition: SQL | undefined,
  batchRows = smallRows,
): Promise<void> {
  for (;;) {
    const batch = sql`select rowid from ${table} where ${condition} limit ${batchRows}`;
    const deletion = db.delete(table).where(sql`rowid in (${batch})`);
    const { changes } = await whenUnlocked(db, () => deletion.run());
    if (changes < batchRows) return;
    await setImmediate();
  }
}
