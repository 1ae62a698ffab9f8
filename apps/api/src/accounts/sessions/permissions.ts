import type { SignedIn } from './sessions.ts';

export interface AuthoringSettings {
  authoring: 'everyone' | 'team';
}

/** Whether a user may write posts of their own. Staff may change those of others, too. */
export const mayWrite = (
  { authoring }: AuthoringSettings,
  { role }: Pick<SignedIn, 'role'>,
): boolean => authoring === 'everyone' || role === 'staff';
