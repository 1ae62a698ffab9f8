import { hour } from '@app/contract/durations';
import { databaseTime } from '@app/db/database-time';
import type { Database } from '@app/db/open';
import { leases } from '@app/db/schema/server';
import { writeTransaction } from '@app/db/write-transaction';
import { and, between, eq, ne, sql } from 'drizzle-orm';

/** In milliseconds. */
export const longestLease = hour;

interface Lease {
  name: string;
  /** The process that asks. */
  holder: string;
  /** At most `longestLease`. */
  milliseconds: number;
}

/**
 * Takes or extends a lease of work that one of several servers does. One that ends while it has the
 * lease is replaced when the lease is over. One that ends later than any lease was taken while the
 * clock of the database was ahead, and does not count.
 * @returns 0 if it is the holder's now, else the milliseconds that another one has it
 */
export const takeLease = (db: Database, { name, holder, milliseconds }: Lease): Promise<number> =>
  writeTransaction(db, (tx) => {
    const isOthers = and(
      eq(leases.name, name),
      ne(leases.holder, holder),
      between(leases.until, sql`${databaseTime} + 1`, sql`${databaseTime} + ${longestLease}`),
    );
    const left = sql<number>`${leases.until} - ${databaseTime}`;
    const other = tx.select({ left }).from(leases).where(isOthers).get();
    if (other) return other.left;
    const values = { holder, until: sql`${databaseTime} + ${milliseconds}` };
    tx.insert(leases)
      .values({ name, ...values })
      .onConflictDoUpdate({ target: leases.name, set: values })
      .run();
    return 0;
  });
