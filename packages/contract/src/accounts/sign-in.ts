import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
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

/** Posted by the button on the page that an emailed link opens. */
export const confirmation = v.strictObject({ token });

export const forgottenPassword = v.strictObject({ email: emailField() });

export const passwordReset = v.strictObject({ token, password: newPassword });

export const signInAgain = v.strictObject({
  password: v.pipe(
    v.optional(v.string(), ''),
    v.nonEmpty(messages.field.passwordRequired),
    v.maxLength(limits.passwordMax, messages.field.tooLong(limits.passwordMax)),
  ),
});

export type { SessionReply, User } from './replies.ts';

declare module '../pages.ts' {
  interface RenderedPages {
    /** /auth/confirm: the button posts `token`. */
    confirm: { token: string };
    /** /auth/again: after a rejected form without JavaScript, with the typed email. */
    rejectedSignIn: { email: string };
    /** /auth/forgot/again: likewise */
    rejectedForgot: { email: string };
    /** /auth/reset */
    passwordReset: { token: string };
  }
}
