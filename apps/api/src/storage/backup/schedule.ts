import { hour, minute } from '@app/contract/durations';
import type { Clock } from '../../clock.ts';

interface Schedule {
  /** Milliseconds. */
  every: number;
  clock: Clock;
  signal: AbortSignal;
  /** Times of the existing backups, in milliseconds since 1970. */
  times(): Promise<number[]>;
  backup(): Promise<void>;
  /** @param retryAt milliseconds since 1970 */
  onFailure(error: unknown, retryAt: number): void;
  /** Rejects when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

/**
 * Makes a backup whenever the newest is older than the interval, until the signal is aborted. Other
 * processes can do the same. Retries failures after a minute, then two, four and so on, up to an
 * hour.
 */
export async function backUpRegularly(schedule: Schedule): Promise<void> {
  const { every, clock, signal, times, backup, onFailure } = schedule;
  const made: number[] = [];
  let failures = 0;
  while (!signal.aborted) {
    try {
      const now = clock.now();
      const due = dueAfter([...(await times()), ...made], every, now);
      if (due > now) {
        await waitUntil(due, schedule);
        continue;
      }
      await backup();
      made.splice(0, 1, now);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const pause = Math.min(minute * 2 ** failures, hour, every);
      failures += 1;
      const retryAt = clock.now() + pause;
      onFailure(error, retryAt);
      await waitUntil(retryAt, schedule).catch(() => undefined);
    }
  }
}

/** Ignores times in the future, which were set while the clock was wrong. */
function dueAfter(times: readonly number[], every: number, now: number): number {
  const newest = Math.max(...times.filter((time) => time <= now));
  return newest + every;
}

/** In short steps, because timers stop while the machine sleeps. Ends if the clock is set back. */
async function waitUntil(time: number, { every, clock, signal, wait }: Schedule): Promise<void> {
  for (;;) {
    const left = time - clock.now();
    if (left <= 0 || left > every) return;
    await wait(Math.min(left, minute), signal);
  }
}
