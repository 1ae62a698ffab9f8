import { hour } from '@app/contract/durations';
import { blogPostRevisions } from '@app/db/schema/blog';
import { leases } from '@app/db/schema/server';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCleanup } from './cleanup.ts';
import { makeDataDir, startWriting } from './testing/blog.ts';
import { makeTestApp } from './testing/test-app.ts';
import { until } from './testing/until.ts';

test('runs cleanups after the start and every hour, independently', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const first = vi.spyOn(deps.sessions, 'deleteExpired').mockRejectedValue(new Error('a bug'));
  const logged = vi.spyOn(deps.log, 'error');
  const later = vi.spyOn(deps.avatars, 'sweep').mockResolvedValue();
  const stop = startCleanup(deps);

  vi.advanceTimersByTime(5_000);
  await until(() => vi.getTimerCount() === 2);
  expect(later).toHaveBeenCalledTimes(1);
  expect(first).toHaveBeenCalledTimes(1);
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ feature: 'sessions' }),
    'cleanup failed',
  );

  vi.advanceTimersByTime(hour);
  await until(() => vi.getTimerCount() === 2);
  expect(later).toHaveBeenCalledTimes(2);
  expect(first).toHaveBeenCalledTimes(2);

  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a cleanup that fails does not stop the others of its feature', async () => {
  await using testApp = await makeTestApp();
  const { deps, clock } = testApp;
  const { write, change } = await startWriting(testApp);
  const { post } = await write('First');
  for (const content of ['Two', 'Three']) await change(post, { content });
  clock.move(2 * 24 * hour);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sweep = vi.spyOn(deps.pictures, 'sweep').mockRejectedValue(new Error('a bug'));
  const stop = startCleanup(deps);
  onTestFinished(stop);

  vi.advanceTimersByTime(5_000);
  await until(() => vi.getTimerCount() === 2);

  expect(sweep).toHaveBeenCalledTimes(1);
  const revisions = deps.db.select().from(blogPostRevisions).all();
  expect(revisions.map(({ version }) => version)).toEqual([3]);
});

test('one of the servers that share a database cleans it up, and each cleans up its own files', async () => {
  const dataDir = makeDataDir();
  const settings = { databaseServer: { url: 'http://db.internal:8080' } };
  await using one = await makeTestApp({ dataDir, settings });
  await using other = await makeTestApp({ dataDir, settings });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const servers = [one, other].map(({ deps }) => ({
    ofDatabase: vi.spyOn(deps.sessions, 'deleteExpired').mockResolvedValue(),
    ofFiles: vi.spyOn(deps.avatars, 'sweep').mockResolvedValue(),
    stop: startCleanup(deps),
  }));
  const calls = (of: 'ofDatabase' | 'ofFiles') => servers.map((each) => each[of].mock.calls.length);

  vi.advanceTimersByTime(5_000);
  await until(() => vi.getTimerCount() === 4);
  expect(calls('ofDatabase').toSorted()).toEqual([0, 1]);
  expect(calls('ofFiles')).toEqual([1, 1]);

  vi.advanceTimersByTime(hour);
  await until(() => vi.getTimerCount() === 4);
  await expect.poll(() => calls('ofDatabase').toSorted()).toEqual([0, 2]);

  // That server stops, and its lease ends.
  const index = calls('ofDatabase').indexOf(2);
  servers[index]?.stop();
  one.deps.db.update(leases).set({ until: 0 }).run();
  vi.advanceTimersByTime(hour);
  await until(() => vi.getTimerCount() === 2);
  await expect.poll(() => calls('ofDatabase').toSorted()).toEqual([1, 2]);
  for (const { stop } of servers) stop();
});

testOnFile('takes no lease without other servers', 'other kinds can be shared', async () => {
  await using testApp = await makeTestApp();
  const { deps } = testApp;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(startCleanup(deps));
  vi.advanceTimersByTime(5_000);
  await until(() => vi.getTimerCount() === 2);
  expect(deps.db.select().from(leases).all()).toEqual([]);
});
