/** Milliseconds since 1970 in UTC. Passed in everywhere, so that a test can move it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
