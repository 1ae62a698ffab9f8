import * as v from 'valibot';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

export const postPresent = v.strictObject({
  others: v.pipe(
    v.array(v.nullable(v.string())),
    v.description('The names of other writers with the post open; null for one without a name.'),
  ),
});
export type PostPresent = v.InferOutput<typeof postPresent>;
