import type { Failure } from '../../http/call-api.ts';

const minDelay = 2_000;
const maxDelay = 60_000;

/**
 * What may go well the next time: no answer of the API, or one that it took too long to arrive
 * (408), that too many came (429), or that the API cannot store anything just now (503).
 */
const retryableStatuses: readonly number[] = [408, 429, 503];

/**
 * How long a form waits before it sends again, in milliseconds; null when sending the same again
 * is of no use. Doubles with each try up to a minute, give or take a quarter, so that not all
 * who wait come back at the same moment; never sooner than the API asks for.
 * @param tries how often it was sent so far, less one
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
 * Resolves after a time, or when `signal` is aborted; with `orOnline` also when the network is
 * back, or when somebody looks at the page again: phones stop the clocks of pages in the background.
 */
export const pause = (
  milliseconds: number,
  signal: AbortSignal,
  orOnline: boolean,
): Promise<void> =>
  new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { signal: over.signal });
    if (!orOnline) return;
    addEventListener('online', end, { signal: over.signal });
    document.addEventListener('visibilitychange', end, { signal: over.signal });
  });
