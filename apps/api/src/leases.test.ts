import { day, minute } from '@app/contract/durations';
import { leases } from '@app/db/schema/server';
import { databaseKinds, openTestDatabaseOn } from '@app/db/testing/database-kinds';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { longestLease, takeLease } from './leases.ts';

const lease = { name: 'work', holder: 'one', milliseconds: minute };

describe.each(databaseKinds)('on %s', (kind) => {
  test('only one holder has a lease until it ends', async () => {
    const db = await openTestDatabaseOn(kind);
    expect(await takeLease(db, lease)).toBe(0);
    const left = await takeLease(db, { ...lease, holder: 'two' });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(minute);
    expect(await takeLease(db, { ...lease, name: 'other work', holder: 'two' })).toBe(0);

    expect(await takeLease(db, { ...lease, milliseconds: 2 * minute })).toBe(0);
    expect(await takeLease(db, { ...lease, holder: 'two' })).toBeGreaterThan(minute);

    db.update(leases).set({ until: 1 }).run();
    expect(await takeLease(db, { ...lease, holder: 'two' })).toBe(0);
    expect(await takeLease(db, lease)).toBeGreaterThan(0);
  });

  test('ignores a lease that was taken while the clock of the database was ahead', async () => {
    const db = await openTestDatabaseOn(kind);
    const longest = { ...lease, milliseconds: longestLease };
    expect(await takeLease(db, longest)).toBe(0);
    const left = await takeLease(db, { ...longest, holder: 'two' });
    expect(left).toBeGreaterThan(longestLease - minute);

    const years = 2 * 365 * day;
    db.update(leases)
      .set({ until: sql`${leases.until} + ${years}` })
      .run();
    expect(await takeLease(db, { ...lease, holder: 'two' })).toBe(0);
    expect(await takeLease(db, lease)).toBeLessThanOrEqual(minute);
  });
});
