/** The delay in milliseconds after this many attempts (1 or more). */
export type RetryDelay = (attempts: number, random?: () => number) => number;

/** Doubles the delay from `first` up to `max`, and shortens it at random by up to half. */
export const exponentialBackoff =
  ({ first, max }: { first: number; max: number }): RetryDelay =>
  (attempts, random = Math.random) =>
    Math.round(Math.min(first * 2 ** (attempts - 1), max) * (0.5 + random() / 2));
