import { setImmediate } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open.ts';
import { whenUnlocked } from './write-transaction.ts';

/** How many rows one statement deletes: a few milliseconds. */
const batchRows = 500;

/** Deletes all rows that match, a few at a time: requests in between wait for one batch at most. */
export async function deleteInBatches(
  db: Database,
  table: SQLiteTable,
  condition: SQL | undefined,
): Promise<void> {
  for (;;) {
    const some = sql`select rowid from ${table} where ${condition} limit ${batchRows}`;
    const deletion = db.delete(table).where(sql`rowid in (${some})`);
    const { changes } = await whenUnlocked(() => deletion.run());
    if (changes < batchRows) return;
    await setImmediate();
  }
}
