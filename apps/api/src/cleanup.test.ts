import { expect, onTestFinished, test, vi } from 'vitest';
import { startCleanup } from './cleanup.ts';
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
