export type { AvatarSaved } from './replies.ts';

/** 96 px wide. Returns other URLs unchanged. */
export const smallAvatarUrl = (avatarUrl: string): string =>
  avatarUrl.replace(/^(\/uploads\/avatars\/.+\/avatar-\d+)\.webp$/, '$1-96.webp');
