import { createMiddleware } from 'hono/factory';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeMiddleware } from '../../server/describe-endpoint.ts';
import type { Deps } from './deps.ts';
import { isRecentSignIn } from './live-session.ts';
import { findUser, notSignedIn, recentSignInRequired } from './session-cookie.ts';
import type { SignedIn } from './sessions.ts';

/** Of handlers behind `signedIn`. */
export interface SignedInEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { user: SignedIn };
}

const security = [{ session: [] }];

/**
 * Requires a session; `c.var.user` is its user. Writes look again inside their transaction, see
 * `findLiveSession`.
 * @param refuse answers visitors
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

/** The same for changes that ask for a sign-in in the last ten minutes. */
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
