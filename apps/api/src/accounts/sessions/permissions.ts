import type { SignedIn } from './sessions.ts';

export interface AuthoringSettings {
  authoring: 'everyone' | 'team';
}

/**
 * Who may write: everybody who is signed in (spec §6), or with AUTHORING=team the
 * staff alone. Writers may change each other's published posts, as the spec shows
 * the controls on every post.
 */
export const mayWrite = (
  { authoring }: AuthoringSettings,
  { role }: Pick<SignedIn, 'role'>,
): boolean => authoring === 'everyone' || role === 'staff';
