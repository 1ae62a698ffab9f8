/** Delay in milliseconds after so many attempts, from 1. */
export type RetryDelay = (attempts: number, random?: () => number) => number;

/** Doubles from the first delay up to the longest one, with jitter down to half of it. */
export const exponentialBackoff =
  ({ first, max }: { first: number; max: number }): RetryDelay =>
  (attempts, random = Math.random) =>
    Math.round(Math.min(first * 2 ** (attempts - 1), max) * (0.5 + random() / 2));
