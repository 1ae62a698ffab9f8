import * as v from 'valibot';
import { limitMarks, oneLine, rawText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { accountMessages } from './messages.ts';
import type { Profile } from './replies.ts';
import type { Device, SignInMethods } from './settings.ts';

/** Unicode Standard Annex #15, NFC. */
const composed = v.transform((value: string) => value.normalize('NFC').trim());

const username = v.pipe(
  rawText(limits.username),
  composed,
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
    // One line without direction overrides, which would affect the text around it.
    v.transform((value) =>
      oneLine(value)
        .replace(/\s+/g, ' ')
        .replace(/\p{Bidi_Control}/gu, ''),
    ),
    composed,
    v.transform((value) => value || null),
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
      /** Whether the user signed in within the last ten minutes. */
      isRecent: boolean;
    };
  }
}
