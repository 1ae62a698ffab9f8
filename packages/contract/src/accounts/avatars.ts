import * as v from 'valibot';

/** Field name in the multipart body (RFC 7578). */
export const avatarField = 'file';

export const avatarSaved = v.strictObject({
  avatarUrl: v.pipe(
    v.string(),
    v.description('512 pixels wide: /uploads/avatars/{userId}/avatar-{time}.webp'),
  ),
});
export type AvatarSaved = v.InferOutput<typeof avatarSaved>;

/** 96 px wide. Returns other URLs unchanged. */
export const smallAvatarUrl = (avatarUrl: string): string =>
  avatarUrl.replace(/^(\/uploads\/avatars\/.+\/avatar-\d+)\.webp$/, '$1-96.webp');

/** Also names the notices on the profile page: avatar-animated. */
export type AvatarRefusal = 'no-file' | 'too-many-pixels' | 'animated' | 'unreadable';
