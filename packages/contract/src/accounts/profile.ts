import * as v from 'valibot';
import { limitMarks, rawText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { named } from '../named.ts';
import { accountMessages } from './messages.ts';
import type { Device, SignInMethods } from './settings.ts';

/** Composed, so that one name has one spelling (Unicode Standard Annex #15, NFC). */
const composed = v.transform((value: string) => value.normalize('NFC').trim());

const username = v.pipe(
  rawText(limits.username),
  composed,
  v.minLength(limits.usernameMin, accountMessages.profile.usernameTooShort),
  v.maxLength(limits.username, messages.field.tooLong(limits.username)),
  // Letters and digits of any script, with single signs between them.
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[._-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u,
    accountMessages.profile.usernameShape,
  ),
  // Nothing that is not seen, and no towers of marks (Unicode Technical Standard #39, 5.4).
  v.check(
    (name) => !/\p{Default_Ignorable_Code_Point}|\p{M}{5}/u.test(name.normalize('NFD')),
    accountMessages.profile.usernameShape,
  ),
);

/** Nothing, as an empty text or null, comes out as null. */
const fullName = v.nullable(
  v.pipe(
    rawText(limits.name),
    // One line, whose direction is its own: it stands in the middle of other people's texts.
    v.transform((value) => value.replace(/[\s\p{Cc}]+/gu, ' ').replace(/\p{Bidi_Control}/gu, '')),
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

/** A partial change: what is absent stays as it is. */
export const profileChange = v.pipe(
  v.strictObject({
    username: v.exactOptional(username),
    fullName: v.exactOptional(fullName),
  }),
  v.check((change) => Object.keys(change).length > 0, messages.field.nothingToChange),
);
export type ProfileChange = v.InferOutput<typeof profileChange>;

/** The signed-in user's own profile. */
export const profile = named(
  'Profile',
  v.strictObject({
    id: v.string(),
    email: v.string(),
    username: v.nullable(v.string()),
    fullName: v.nullable(v.string()),
    avatarUrl: v.nullable(v.pipe(v.string(), v.description('A path on this site.'))),
  }),
);
export type Profile = v.InferOutput<typeof profile>;

declare module '../pages.ts' {
  interface RenderedPages {
    /** /profile: the signed-in person's own. `profile` is null where there is none. */
    profile: {
      email: string;
      profile: Profile | null;
      devices: Device[];
      methods: SignInMethods;
      /** Whether they proved who they are in the last ten minutes. */
      isRecent: boolean;
    };
  }
}
