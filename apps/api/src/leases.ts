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
  holder: string;
  /** At most `longestLease`. */
  milliseconds: number;
}

/**
 * Takes or extends a lease on work that only one of several servers should do. If its holder stops,
 * another server can take the lease when it ends. A lease that ends further ahead than any lease
 * lasts was taken while the clock of the database was ahead, and is ignored.
 * @returns 0 if the holder has the lease now, otherwise the milliseconds until the other's ends
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
