import { expect, onTestFinished, test, vi } from 'vitest';
import { describeOnServer } from '../testing/sqld.ts';
import { openTestReplica, startTestSqld } from '../testing/test-replica.ts';
import { openPrimary } from './open-replica.ts';

const hour = 60 * 60 * 1_000;

/** By as many milliseconds. */
function moveClock(offset: number): void {
  const now = Date.now.bind(Date);
  const moved = vi.spyOn(Date, 'now').mockImplementation(() => now() + offset);
  onTestFinished(() => void moved.mockRestore());
}

describeOnServer('the clock of the database server', () => {
  test.each([-hour, hour])('is compared with a clock that is %i ms off', async (offset) => {
    const sqld = await startTestSqld();
    moveClock(offset);
    const replica = await openTestReplica(sqld);
    const primary = await openPrimary(sqld);
    onTestFinished(primary.close);
    for (const { clockOffset } of [replica, primary]) {
      expect(Math.abs(clockOffset() + offset)).toBeLessThan(hour / 2);
    }

    vi.mocked(Date.now).mockRestore();
    // It is compared again when the server was gone.
    await sqld.kill();
    await expect.poll(replica.failure).not.toBeNull();
    await sqld.start();
    await expect.poll(replica.clockOffset).toBe(0);
  });

  test('is used as it is if it differs by less than a second', async () => {
    moveClock(300);
    const replica = await openTestReplica(await startTestSqld());
    expect(replica.clockOffset()).toBe(0);
  });
});
