import type { PageAccount } from '@app/contract/pages';
import type { AppContext } from '../../server/context.ts';
import type { Deps } from './deps.ts';
import type { AuthoringSettings } from './permissions.ts';
import { findUser } from './session-cookie.ts';
import { getUser } from './user.ts';

/** The visitor's account, for the header of a page that is rendered for them. */
export async function findPageAccount(
  c: AppContext,
  deps: Deps & { settings: AuthoringSettings },
): Promise<PageAccount | undefined> {
  const signedIn = await findUser(c, deps);
  if (!signedIn) return undefined;
  const { email, username, fullName, avatarUrl } = getUser(deps, signedIn.userId);
  return { email, username, fullName, avatarUrl };
}
