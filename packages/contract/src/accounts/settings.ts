import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { named } from '../named.ts';
import { newPassword } from './sign-in.ts';

/** Require a recent sign-in instead of the old password. */
export const passwordChange = v.strictObject({ password: newPassword });
export const emailChange = v.strictObject({ email: emailField() });

/** Published posts; drafts are always deleted. */
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
    /** /auth/change-email: `email` is the new address. */
    emailChange: { token: string; email: string };
    /** /auth/cancel-email-change: `email` is the requested address. */
    emailChangeCancel: { token: string; email: string };
  }
}
