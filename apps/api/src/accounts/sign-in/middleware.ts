import { accountMessages } from '@app/contract/accounts/messages';
import { createMiddleware } from 'hono/factory';
import { clientAddress } from '../../server/client-address.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeMiddleware } from '../../server/describe-endpoint.ts';
import { invalidInput } from '../../server/input.ts';
import { problem } from '../../server/problem.ts';
import { tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { findCommonPasswordIssue } from './common-passwords.ts';
import type { Deps } from './deps.ts';
import type { TooMany } from './limits.ts';

interface Sent<Json> {
  out: { json: Json };
}

/** Rejects common passwords. Runs after `input`. */
export const uncommonPassword = createMiddleware<AppEnv, string, Sent<{ password: string }>>(
  async (c, next) => {
    const issue = await findCommonPasswordIssue(c.req.valid('json').password);
    return issue ? invalidInput(c, [issue], 'common') : next();
  },
);

interface MaybeSignedIn extends AppEnv {
  Variables: AppEnv['Variables'] & { user?: SignedIn };
}

/**
 * Refuses a request that hashes a password if too many already do. Runs after `input` and the
 * session check, and before limits count the request.
 */
export const admitToHashing = (deps: Deps) =>
  createMiddleware<MaybeSignedIn>(async (c, next) => {
    const keys = [c.get('user')?.userId, clientAddress(c, deps)];
    const known = keys.filter((key) => typeof key === 'string');
    if (await deps.passwords.admit(known, next)) return;
    return problem(c, 'busy', accountMessages.limits.busy, { headers: { 'Retry-After': '2' } });
  });

/** Counts a request with one of the limits of `createAccountLimits`. Runs after `input`. */
export const limitRequests = <Json>(
  deps: Deps,
  count: (address: string | null, sent: Json) => Promise<TooMany | null>,
) =>
  describeMiddleware(
    createMiddleware<AppEnv, string, Sent<Json>>(async (c, next) => {
      const tooMany = await count(clientAddress(c, deps), c.req.valid('json'));
      return tooMany ? tooManyTries(c, tooMany) : next();
    }),
    { problems: ['too_many_requests'] },
  );

export const tooManyTries = (c: AppContext, { retryAfterSeconds, detail }: TooMany): Response =>
  tooManyRequests(c, retryAfterSeconds, detail, 'too-many');
