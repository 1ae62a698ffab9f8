import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { newPassword } from './sign-in.ts';

// These require a recent sign-in instead of the old password.
export const passwordChange = v.strictObject({ password: newPassword });
export const emailChange = v.strictObject({ email: emailField() });

/** `posts` applies to published posts. Drafts are always deleted. */
export const accountDeletion = v.strictObject({ posts: v.picklist(['keep', 'delete']) });
export type AccountDeletion = v.InferOutput<typeof accountDeletion>;

export type { Device, DeviceList } from './replies.ts';

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
