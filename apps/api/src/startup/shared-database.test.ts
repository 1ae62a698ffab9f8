import { minute } from '@app/contract/durations';
import { describeOnServer } from '@app/db/testing/sqld';
import { startTestSqld, temporaryFolder } from '@app/db/testing/test-replica';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { migrationsFolder } from '../migrations-folder.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { openSharedDatabase } from './shared-database.ts';

describeOnServer('a server with a shared database', () => {
  test('uses the time of the database server, and reports that its own clock is wrong', async () => {
    const { url } = await startTestSqld();
    const now = Date.now.bind(Date);
    const wrong = vi.spyOn(Date, 'now').mockImplementation(() => now() + 15 * minute);
    onTestFinished(() => void wrong.mockRestore());
    const { clock, maintain, close } = await openSharedDatabase(
      { url },
      {
        env: { dataDir: temporaryFolder() },
        ...{ log: createLog('silent'), migrationsFolder, startNew: false },
      },
    );
    onTestFinished(close);
    expect(Math.abs(clock.now() - now())).toBeLessThan(minute);

    await using testApp = await makeTestApp();
    const { deps } = testApp;
    const stop = maintain(deps);
    onTestFinished(stop);
    await expect
      .poll(deps.health.problems, { timeout: 10_000 })
      .toEqual([
        'The clock of this server is ahead of that of the database server, whose time is used: synchronize both.',
      ]);
  });
});
