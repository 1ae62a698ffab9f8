/** Passed in everywhere, so that a test can move it. */
export interface Clock {
  /** Wall time: milliseconds since 1970 in UTC. Somebody may set it, forwards and backwards. */
  now(): number;
  /** Milliseconds since some moment, on a clock that nobody sets: for durations within a process. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
