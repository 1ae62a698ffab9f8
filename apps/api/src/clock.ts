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

/** ISO 8601 in UTC. @param time in milliseconds since 1970 */
export const toIso = (time: number): string => new Date(time).toISOString();

export const toIsoOrNull = (time: number | null): string | null =>
  time === null ? null : toIso(time);
