import * as v from 'valibot';
import { requiredText } from './fields.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

/** Addresses are compared in lower case: people do not tell Ann@ from ann@. */
export const emailField = (required: string = messages.field.emailRequired) =>
  v.pipe(
    requiredText(limits.email, required),
    v.toLowerCase(),
    v.email(messages.field.emailInvalid),
  );

/** Kept exactly as typed: spaces belong to a password, and none is ever cut. */
const password = v.pipe(
  v.optional(v.string(), ''),
  v.nonEmpty(messages.field.passwordRequired),
  v.minLength(limits.passwordMin, messages.field.passwordTooShort),
  v.maxLength(limits.passwordMax, messages.field.tooLong(limits.passwordMax)),
);

export const credentials = v.strictObject({ email: emailField(), password });
export type Credentials = v.InferOutput<typeof credentials>;

export const resendConfirmation = v.strictObject({
  email: emailField(messages.confirmation.emailRequired),
});

export const confirmation = v.strictObject({
  token: v.pipe(
    v.optional(v.string(), ''),
    v.nonEmpty(messages.field.tokenRequired),
    v.maxLength(200, messages.field.tokenRequired),
  ),
});

/** The signed-in person as the site knows them. */
export interface User {
  id: string;
  email: string;
  /** Whether the house rules (setting AUTHORING) let this person write posts. */
  mayWrite: boolean;
}

export interface SessionReply {
  user: User | null;
}

/** Readable by scripts; tells static pages which face to show and grants nothing. */
export const signedInCookie = 'signed_in';
