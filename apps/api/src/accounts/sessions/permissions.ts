import type { SignedIn } from './sessions.ts';

export interface AuthoringSettings {
  authoring: 'everyone' | 'team';
}

/**
 * Everyone who is signed in (spec §6), or staff only with AUTHORING=team. Writers may change each
 * other's published posts.
 */
export const mayWrite = (
  { authoring }: AuthoringSettings,
  { role }: Pick<SignedIn, 'role'>,
): boolean => authoring === 'everyone' || role === 'staff';
