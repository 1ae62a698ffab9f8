export interface Clock {
  /** Milliseconds since 1970 in UTC. Can jump in both directions. */
  now(): number;
  /** Milliseconds that never jump, for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** @param offset how far it is ahead of `clock`, in milliseconds */
export const shiftedClock = (clock: Clock, offset: () => number): Clock => ({
  now: () => clock.now() + offset(),
  monotonic: () => clock.monotonic(),
});
