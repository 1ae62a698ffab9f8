import * as v from 'valibot';
import { oneLine } from '../clean-text.ts';
import { limitMarks, rawText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { baseVersion } from './posts.ts';

export const revisionName = v.strictObject({
  name: v.pipe(
    rawText(limits.revisionName),
    v.transform(oneLine),
    v.maxLength(limits.revisionName, messages.field.tooLong(limits.revisionName)),
    limitMarks,
    v.description('Empty to remove the name.'),
  ),
});

/** Saves the post again with the texts of the revision. */
export const revisionRestore = v.strictObject({ baseVersion });
