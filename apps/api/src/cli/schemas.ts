import * as v from 'valibot';

/** ISO 8601, in UTC. */
export const time = v.pipe(v.string(), v.isoTimestamp());

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
