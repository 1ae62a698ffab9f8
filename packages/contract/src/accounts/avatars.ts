import * as v from 'valibot';

/** What a picture is sent as: one field of a multipart body (RFC 7578). */
export const avatarField = 'file';

export const avatarSaved = v.strictObject({
  avatarUrl: v.pipe(
    v.string(),
    v.description('512 pixels wide: /uploads/avatars/{userId}/avatar-{time}.webp'),
  ),
});
export type AvatarSaved = v.InferOutput<typeof avatarSaved>;

/** The same picture 96 px wide, for what is drawn small. Other addresses stay as they are. */
export const smallAvatarUrl = (avatarUrl: string): string =>
  avatarUrl.replace(/^(\/uploads\/avatars\/.+\/avatar-\d+)\.webp$/, '$1-96.webp');

/**
 * What is wrong with a file that does not become an avatar. The notices of the profile's page are
 * named after it, avatar-animated, and after what goes wrong before a file is looked at:
 * avatar-too-large, avatar-failed.
 */
export type AvatarRefusal = 'no-file' | 'too-many-pixels' | 'animated' | 'unreadable';
