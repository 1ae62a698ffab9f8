import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { named } from '../named.ts';
import { accountMessages } from './messages.ts';

/** Neither trimmed nor truncated. */
export const newPassword = v.pipe(
  v.optional(v.string(), ''),
  v.nonEmpty(messages.field.passwordRequired),
  v.minLength(limits.passwordMin, messages.field.passwordTooShort),
  v.maxLength(limits.passwordMax, messages.field.tooLong(limits.passwordMax)),
);

export const credentials = v.strictObject({ email: emailField(), password: newPassword });
export type Credentials = v.InferOutput<typeof credentials>;

export const resendConfirmation = v.strictObject({
  email: emailField(accountMessages.confirmation.emailRequired),
});

const token = v.pipe(
  v.optional(v.string(), ''),
  v.nonEmpty(messages.field.tokenRequired),
  v.maxLength(200, messages.field.tokenRequired),
);

/** Posted by the button of an emailed link. */
export const confirmation = v.strictObject({ token });

export const forgottenPassword = v.strictObject({ email: emailField() });

export const passwordReset = v.strictObject({ token, password: newPassword });
export type PasswordReset = v.InferOutput<typeof passwordReset>;

export const signInAgain = v.strictObject({
  password: v.pipe(
    v.optional(v.string(), ''),
    v.nonEmpty(messages.field.passwordRequired),
    v.maxLength(limits.passwordMax, messages.field.tooLong(limits.passwordMax)),
  ),
});

/** The signed-in user. */
export const user = named(
  'User',
  v.strictObject({
    id: v.string(),
    email: v.string(),
    mayWrite: v.pipe(
      v.boolean(),
      v.description('Whether this user may write posts (setting AUTHORING).'),
    ),
    username: v.nullable(v.string()),
    fullName: v.nullable(v.string()),
    avatarUrl: v.nullable(v.string()),
  }),
);
export type User = v.InferOutput<typeof user>;

export const sessionReply = v.strictObject({
  user: v.nullable(user),
  linked: v.exactOptional(
    v.pipe(
      v.literal('google'),
      v.description('A sign-in with a password has linked a Google account to this one.'),
    ),
  ),
});
export type SessionReply = v.InferOutput<typeof sessionReply>;

/** The same for every address, known or not. */
export const acceptedReply = v.strictObject({ accepted: v.literal(true) });

declare module '../pages.ts' {
  interface RenderedPages {
    /** /auth/confirm: the button posts `token`. */
    confirm: { token: string };
    /** /auth/reset */
    passwordReset: { token: string };
  }
}
