import * as v from 'valibot';
import { rawText } from '../fields.ts';
import { limits } from '../limits.ts';
import { account, baseVersion } from './posts.ts';
import { scheduledTime } from './schedule.ts';

/** Text as typed, which can be empty or invalid. */
const typed = (max: number) => v.optional(rawText(max), '');

const id = v.pipe(v.string(), v.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/));

/** The draft of a new post has a UUID that the client generates; others have the id of the post. */
export const isDraftId = (text: string): boolean => v.is(id, text);

/** A user's unsaved text, which the editor stores. */
export const draftChange = v.strictObject({
  title: typed(limits.title),
  slug: typed(limits.slug),
  excerpt: typed(limits.excerpt),
  coverImage: typed(limits.url),
  tags: typed(limits.tagsText),
  content: rawText(limits.content),
  published: v.optional(v.boolean(), false),
  scheduledAt: v.exactOptional(
    v.pipe(
      v.nullable(scheduledTime),
      v.description('The chosen time; absent if it equals that of the post.'),
    ),
  ),
  baseVersion: v.exactOptional(
    v.pipe(
      v.nullable(baseVersion),
      v.description(
        'The version of the post that the text is based on; the post must exist. Null for a new post, which can have the id of a post that was deleted or unpublished. By default the current version, or none for a new post.',
      ),
    ),
  ),
  previous: v.exactOptional(
    v.pipe(
      v.nullable(v.pipe(v.string(), v.isoTimestamp())),
      v.description(
        'The `updatedAt` of the draft that this text continues; null if there was none. If the draft has been stored again since, the request is rejected as draft_changed.',
      ),
    ),
  ),
  account: v.exactOptional(account),
});
export type DraftChange = v.InferOutput<typeof draftChange>;
export type DraftFields = Omit<DraftChange, 'baseVersion' | 'previous' | 'account'>;
