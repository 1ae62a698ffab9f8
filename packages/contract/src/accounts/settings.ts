import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { named } from '../named.ts';
import { newPassword } from './sign-in.ts';

/** Both ask for a recent sign-in, which is the proof that the old password would be. */
export const passwordChange = v.strictObject({ password: newPassword });
export const emailChange = v.strictObject({ email: emailField() });

/** What becomes of the posts that somebody published who deletes their account. Drafts go with it. */
export const accountDeletion = v.strictObject({ posts: v.picklist(['keep', 'delete']) });
export type AccountDeletion = v.InferOutput<typeof accountDeletion>;

/** What an address change answers in a browser where its user is not signed in. */
export const emailChangedReply = v.strictObject({ changed: v.literal(true) });

export const emailChangeCancelledReply = v.strictObject({ cancelled: v.literal(true) });

/** A browser in which a user is signed in. */
export const device = named(
  'Device',
  v.strictObject({
    id: v.pipe(v.string(), v.description('Ends the session: DELETE /api/auth/sessions/{id}.')),
    name: v.pipe(v.string(), v.description('Firefox on Windows; empty when not known.')),
    signedInAt: v.pipe(v.string(), v.isoTimestamp()),
    lastSeenAt: v.pipe(v.string(), v.isoTimestamp(), v.description('To the hour.')),
    isCurrent: v.boolean(),
  }),
);
export type Device = v.InferOutput<typeof device>;

export const deviceList = v.strictObject({ devices: v.array(device) });
export type DeviceList = v.InferOutput<typeof deviceList>;

/** How a user can prove who they are. */
export interface SignInMethods {
  password: boolean;
  google: boolean;
}

declare module '../pages.ts' {
  interface RenderedPages {
    /** /auth/change-email: likewise; `email` is the address to be. */
    emailChange: { token: string; email: string };
    /** /auth/cancel-email-change: likewise; `email` is the address that was asked for. */
    emailChangeCancel: { token: string; email: string };
  }
}
