/** Field name in the multipart body (RFC 7578). */
export const avatarField = 'file';

export type { AvatarSaved } from './replies.ts';

/** 96 px wide. Returns other URLs unchanged. */
export const smallAvatarUrl = (avatarUrl: string): string =>
  avatarUrl.replace(/^(\/uploads\/avatars\/.+\/avatar-\d+)\.webp$/, '$1-96.webp');

/** Also names the notices on the profile page: avatar-animated. */
export type AvatarRefusal = 'no-file' | 'too-many-pixels' | 'animated' | 'unreadable';
