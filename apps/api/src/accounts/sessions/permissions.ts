import type { SignedIn } from './sessions.ts';

export interface AuthoringSettings {
  authoring: 'everyone' | 'team';
}

/** Spec §6. Users who may write may also change each other's published posts. */
export const mayWrite = (
  { authoring }: AuthoringSettings,
  { role }: Pick<SignedIn, 'role'>,
): boolean => authoring === 'everyone' || role === 'staff';
