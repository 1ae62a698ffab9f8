/** A dependency, so that tests can move it. */
export interface Clock {
  /** Wall time: milliseconds since 1970 in UTC. May jump forwards and backwards. */
  now(): number;
  /** Milliseconds on a clock that never jumps: for durations within a process. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
