import * as v from 'valibot';
import { named } from '../named.ts';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

const user = named(
  'User',
  v.strictObject({
    id: v.string(),
    email: v.string(),
    mayWrite: v.pipe(
      v.boolean(),
      v.description('Whether this user may write posts (setting AUTHORING).'),
    ),
    isStaff: v.pipe(
      v.boolean(),
      v.description('Whether this user may also change posts of others.'),
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

/** The reply to a confirmation if the password could be a stranger's. */
export const newPasswordReply = v.strictObject({
  resetToken: v.pipe(v.string(), v.description('For POST /api/auth/reset-password.')),
});
export type NewPasswordReply = v.InferOutput<typeof newPasswordReply>;

/** The same for known and unknown addresses. */
export const acceptedReply = v.strictObject({ accepted: v.literal(true) });
export type AcceptedReply = v.InferOutput<typeof acceptedReply>;

/** The reply to an email change in a browser where its user is not signed in. */
export const emailChangedReply = v.strictObject({ changed: v.literal(true) });
export type EmailChangedReply = v.InferOutput<typeof emailChangedReply>;

export const emailChangeCanceledReply = v.strictObject({ canceled: v.literal(true) });
export type EmailChangeCanceledReply = v.InferOutput<typeof emailChangeCanceledReply>;

/** A browser in which a user is signed in. */
const device = named(
  'Device',
  v.strictObject({
    id: v.pipe(v.string(), v.description('Ends the session: DELETE /api/auth/sessions/{id}.')),
    name: v.pipe(v.string(), v.description('Such as Firefox on Windows; empty if unknown.')),
    signedInAt: v.pipe(v.string(), v.isoTimestamp()),
    lastSeenAt: v.pipe(v.string(), v.isoTimestamp(), v.description('Accurate to the hour.')),
    isCurrent: v.boolean(),
  }),
);
export type Device = v.InferOutput<typeof device>;

export const deviceList = v.strictObject({ devices: v.array(device) });
export type DeviceList = v.InferOutput<typeof deviceList>;

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

export const avatarSaved = v.strictObject({
  avatarUrl: v.pipe(
    v.string(),
    v.description('The 512-pixel version: /uploads/avatars/{userId}/avatar-{time}.webp'),
  ),
});
export type AvatarSaved = v.InferOutput<typeof avatarSaved>;
