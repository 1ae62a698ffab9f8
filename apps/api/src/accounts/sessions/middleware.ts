import { createMiddleware } from 'hono/factory';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeMiddleware } from '../../server/describe-endpoint.ts';
import type { Deps } from './deps.ts';
import { isRecentSignIn } from './live-session.ts';
import { findUser, notSignedIn, recentSignInRequired } from './session-cookie.ts';
import type { SignedIn } from './sessions.ts';

export interface SignedInEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { user: SignedIn };
}

const security = [{ session: [] }];

/**
 * Requires a session, and sets `c.var.user`. Transactions that write check the session again, see
 * `findLiveSession`.
 * @param refuse the response for visitors
 */
export const signedIn = (deps: Deps, refuse: (c: AppContext) => Response = notSignedIn) =>
  describeMiddleware(
    createMiddleware<SignedInEnv>(async (c, next) => {
      const user = await findUser(c, deps);
      if (!user) return refuse(c);
      c.set('user', user);
      return next();
    }),
    { security, problems: ['not_signed_in'] },
  );

/** Like `signedIn`, for changes that require a sign-in within the last ten minutes. */
export const recentSignIn = (deps: Deps, refuse: (c: AppContext) => Response = notSignedIn) =>
  describeMiddleware(
    createMiddleware<SignedInEnv>(async (c, next) => {
      const user = await findUser(c, deps);
      if (!user) return refuse(c);
      if (!isRecentSignIn(user, deps.clock.now())) return recentSignInRequired(c);
      c.set('user', user);
      return next();
    }),
    { security, problems: ['not_signed_in', 'sign_in_again'] },
  );
