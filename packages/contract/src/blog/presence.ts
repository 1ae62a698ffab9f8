import * as v from 'valibot';
import { limits } from '../limits.ts';

/** Sent while a post is open in the editor. */
export const postPresence = v.strictObject({
  post: v.pipe(v.string(), v.maxLength(limits.slug), v.description('The id of the post.')),
  isLeaving: v.optional(v.boolean(), false),
});
