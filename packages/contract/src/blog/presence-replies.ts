import * as v from 'valibot';

// Apart from the inputs: browsers load those, and of these they use only the types.

export const postPresent = v.strictObject({
  others: v.pipe(
    v.array(v.nullable(v.string())),
    v.description('Their names; null for a writer without one.'),
  ),
});
export type PostPresent = v.InferOutput<typeof postPresent>;
