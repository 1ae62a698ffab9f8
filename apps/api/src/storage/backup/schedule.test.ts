import { hour } from '@app/contract/durations';
import { expect, test } from 'vitest';
import { MovingClock } from '../../testing/test-app.ts';
import { backUpRegularly } from './schedule.ts';

/** Runs the schedule for `hours`. Waiting moves the clock. */
async function run({
  hours,
  existing = [],
  failsAt = () => false,
  onWait = () => undefined,
}: {
  hours: number;
  /** Times of earlier backups, in hours from the start. */
  existing?: number[];
  /** @param attempt from 0 */
  failsAt?(attempt: number): boolean;
  onWait?(clock: MovingClock, times: number[]): void;
}) {
  const clock = new MovingClock();
  const controller = new AbortController();
  const begin = clock.now();
  const passed = (time: number) => (time - begin) / hour;
  const times = existing.map((time) => begin + time * hour);
  const made: number[] = [];
  const failed: { at: number; retryAt: number }[] = [];
  let attempts = 0;
  let waited = 0;
  await backUpRegularly({
    clock,
    every: 6 * hour,
    signal: controller.signal,
    times: async () => times,
    async backup() {
      attempts += 1;
      if (failsAt(attempts - 1)) throw new Error('the disk is full');
      times.push(clock.now());
      made.push(passed(clock.now()));
    },
    onFailure(_error, retryAt) {
      failed.push({ at: passed(clock.now()), retryAt: passed(retryAt) });
    },
    async wait(milliseconds, signal) {
      expect(milliseconds).toBeGreaterThan(0);
      waited += milliseconds;
      clock.move(milliseconds);
      onWait(clock, times);
      if (waited >= hours * hour) controller.abort();
      signal.throwIfAborted();
    },
  });
  return { made, failed };
}

test('makes a backup at once, then at each interval', async () => {
  expect(await run({ hours: 20 })).toEqual({ made: [0, 6, 12, 18], failed: [] });
});

test('waits until the newest backup is older than the interval', async () => {
  expect((await run({ hours: 12, existing: [-100, -5, -50] })).made).toEqual([1, 7]);
});

test('skips a backup if another process made one', async () => {
  const { made } = await run({
    hours: 13,
    onWait(clock, times) {
      if (times.length === 1) times.push(clock.now() + 2 * hour);
    },
  });
  expect(made).toHaveLength(2);
  expect(made[1]).toBeCloseTo(8 + 1 / 60);
});

test('retries after a minute, then doubles the delay up to an hour', async () => {
  const { made, failed } = await run({ hours: 13, failsAt: (attempt) => attempt < 8 });
  const pauses = failed.map(({ at, retryAt }) => Math.round((retryAt - at) * 60));
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(made).toHaveLength(2);
  expect(made[0]).toBeCloseTo(183 / 60);
  expect(made[1]).toBeCloseTo(183 / 60 + 6);
});

test('resets the delay after a success', async () => {
  const { failed } = await run({ hours: 8, failsAt: (attempt) => attempt !== 2 });
  const pauses = failed.map(({ at, retryAt }) => Math.round((retryAt - at) * 60));
  expect(pauses.slice(0, 3)).toEqual([1, 2, 1]);
});

test('ignores backups from when the clock was ahead', async () => {
  expect((await run({ hours: 7, existing: [20_000, -1] })).made).toEqual([5]);
  expect((await run({ hours: 7, existing: [20_000] })).made).toEqual([0, 6]);
});

test('continues when the clock is set back while it waits', async () => {
  let isBack = false;
  const { made } = await run({
    hours: 8,
    onWait(clock) {
      if (isBack) return;
      clock.set(-20_000 * hour);
      isBack = true;
    },
  });
  expect(made).toHaveLength(3);
});

test('waits for the interval even if the first backup is not listed', async () => {
  const { made } = await run({
    hours: 5,
    onWait: (_clock, times) => void times.splice(0),
  });
  expect(made).toEqual([0]);
});
