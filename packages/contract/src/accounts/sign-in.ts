import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { accountMessages } from './messages.ts';

/** Kept exactly as typed: spaces belong to a password, and none is ever cut. */
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

/** What a mailed link gives back to the API when its button is pressed. */
export const confirmation = v.strictObject({ token });

export const forgottenPassword = v.strictObject({ email: emailField() });

export const passwordReset = v.strictObject({ token, password: newPassword });
export type PasswordReset = v.InferOutput<typeof passwordReset>;

/** Proof of who somebody is who is signed in already. */
export const signInAgain = v.strictObject({
  password: v.pipe(
    v.optional(v.string(), ''),
    v.nonEmpty(messages.field.passwordRequired),
    v.maxLength(limits.passwordMax, messages.field.tooLong(limits.passwordMax)),
  ),
});

/** The signed-in person as the site knows them. */
export interface User {
  id: string;
  email: string;
  /** Whether the house rules (setting AUTHORING) let this person write posts. */
  mayWrite: boolean;
  username: string | null;
  fullName: string | null;
  avatarUrl: string | null;
}

export interface SessionReply {
  user: User | null;
  /** Set when a sign-in with a password has linked an account elsewhere to this one. */
  linked?: 'google';
}

declare module '../pages.ts' {
  interface RenderedPages {
    /** /auth/confirm: `token` goes back to the API when the person presses the button. */
    confirm: { token: string };
    /** /auth/reset: likewise, with the new password. */
    passwordReset: { token: string };
  }
}
