import type { Failure } from './call-api.ts';

const minDelay = 2_000;
const maxDelay = 60_000;

/** Request timeout, too many requests, and a server that cannot store anything right now. */
const retryableStatuses: readonly number[] = [408, 429, 503];

/**
 * Exponential backoff up to a minute, with 25% jitter, and never below Retry-After.
 * @param tries number of retries so far
 * @returns milliseconds; null if a retry is pointless
 */
export const waitBeforeRetry = (
  { problem, retryAfter }: Failure,
  tries: number,
  random: () => number = Math.random,
): number | null => {
  if (problem && !retryableStatuses.includes(problem.status)) return null;
  const wait = Math.min(minDelay * 2 ** tries, maxDelay) * (0.75 + random() / 2);
  return Math.max(wait, (retryAfter ?? 0) * 1_000);
};

/**
 * Resolves after a delay, or when `signal` is aborted. With `orOnline`, also resolves when the
 * network is back or the page becomes visible, because phones suspend timers in the background.
 */
export const pause = (
  milliseconds: number,
  signal: AbortSignal,
  orOnline: boolean,
): Promise<void> =>
  new Promise((resolve) => {
    const listeners = new AbortController();
    const end = () => {
      clearTimeout(timer);
      listeners.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { signal: listeners.signal });
    if (!orOnline) return;
    addEventListener('online', end, { signal: listeners.signal });
    document.addEventListener('visibilitychange', end, { signal: listeners.signal });
  });
