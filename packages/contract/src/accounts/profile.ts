import * as v from 'valibot';
import { oneLine } from '../clean-text.ts';
import { limitMarks, rawText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { accountMessages } from './messages.ts';
import type { Profile } from './replies.ts';
import type { Device, SignInMethods } from './settings.ts';

const username = v.pipe(
  rawText(limits.username),
  v.transform(oneLine),
  v.minLength(limits.usernameMin, accountMessages.profile.usernameTooShort),
  v.maxLength(limits.username, messages.field.tooLong(limits.username)),
  // Letters and digits of any script, with single separators.
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[._-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u,
    accountMessages.profile.usernameShape,
  ),
  // No invisible characters, no stacks of marks (Unicode Technical Standard #39, 5.4).
  v.check(
    (name) => !/\p{Default_Ignorable_Code_Point}|\p{M}{5}/u.test(name.normalize('NFD')),
    accountMessages.profile.usernameShape,
  ),
);

/** Empty becomes null. */
const fullName = v.nullable(
  v.pipe(
    rawText(limits.name),
    v.transform((value) => oneLine(value) || null),
    v.nullable(
      v.pipe(
        v.string(),
        v.minLength(limits.fullNameMin, accountMessages.profile.fullNameTooShort),
        v.maxLength(limits.name, messages.field.tooLong(limits.name)),
        limitMarks,
      ),
    ),
  ),
);

export const profileChange = v.pipe(
  v.strictObject({
    username: v.exactOptional(username),
    fullName: v.exactOptional(fullName),
  }),
  v.check((change) => Object.keys(change).length > 0, messages.field.nothingToChange),
);
export type ProfileChange = v.InferOutput<typeof profileChange>;

export type { Profile };

declare module '../pages.ts' {
  interface RenderedPages {
    profile: {
      email: string;
      profile: Profile | null;
      devices: Device[];
      methods: SignInMethods;
      /** What was typed in forms that were rejected without JavaScript. `email` is the new one. */
      entered: { username?: string; fullName?: string; email?: string };
      /** Whether the user signed in within the last ten minutes. */
      isRecent: boolean;
    };
  }
}
