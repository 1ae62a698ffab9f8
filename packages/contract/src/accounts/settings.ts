import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { newPassword } from './sign-in.ts';

/** Both ask for a recent sign-in, which is the proof that the old password would be. */
export const passwordChange = v.strictObject({ password: newPassword });
export const emailChange = v.strictObject({ email: emailField() });

/** What becomes of the posts that somebody published who deletes their account. Drafts go with it. */
export const accountDeletion = v.strictObject({ posts: v.picklist(['keep', 'delete']) });
export type AccountDeletion = v.InferOutput<typeof accountDeletion>;

/** A browser in which somebody is signed in. Times are ISO 8601 in UTC. */
export interface Device {
  /** Ends it: DELETE /api/auth/sessions/{id} */
  id: string;
  /** Firefox on Windows; empty when not known. */
  name: string;
  signedInAt: string;
  /** To the hour. */
  lastSeenAt: string;
  isCurrent: boolean;
}

export interface DeviceList {
  devices: Device[];
}

/** How somebody can prove who they are. */
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
