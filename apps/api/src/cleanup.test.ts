import { blogPostRevisions } from '@app/db/schema/blog';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCleanup } from './cleanup.ts';
import { startWriting } from './testing/blog.ts';
import { makeTestApp } from './testing/test-app.ts';
import { until } from './testing/until.ts';

const hour = 60 * 60 * 1_000;

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
  await until(() => vi.getTimerCount() > 0 && later.mock.calls.length === 1);
  expect(first).toHaveBeenCalledTimes(1);
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ feature: 'sessions' }),
    'cleanup failed',
  );

  vi.advanceTimersByTime(hour);
  await until(() => later.mock.calls.length === 2);
  expect(first).toHaveBeenCalledTimes(2);

  await until(() => vi.getTimerCount() > 0);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a cleanup that fails does not hold up the others of its feature', async () => {
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
  await until(() => vi.getTimerCount() > 0);

  expect(sweep).toHaveBeenCalledTimes(1);
  const revisions = deps.db.select().from(blogPostRevisions).all();
  expect(revisions.map(({ version }) => version)).toEqual([3]);
});
