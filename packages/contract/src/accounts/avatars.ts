export type { AvatarSaved } from './replies.ts';

/** The URL of the 96 px version. Other URLs are returned unchanged. */
export const smallAvatarUrl = (avatarUrl: string): string =>
  avatarUrl.replace(/^(\/uploads\/avatars\/.+\/avatar-\d+)\.webp$/, '$1-96.webp');
