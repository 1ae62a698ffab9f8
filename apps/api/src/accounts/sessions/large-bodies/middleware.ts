import { limits } from '@app/contract/limits';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../../../server/context.ts';
import { createMinuteLimit } from '../../../server/minute-limit.ts';
import { tooManyRequests } from '../../../server/rate-limits/middleware.ts';
import type { Deps } from '../deps.ts';
import { findUser } from '../session-cookie.ts';

/** In bytes. Typing fast in a post of maximum length sends 100 MB of drafts and previews. */
const maxPerMinute = 134_217_728;

/**
 * Limits what an account can have parsed of bodies that are larger than most routes accept: 2 MB
 * take up to 50 ms. Runs after `readBodyFirst`. Bodies from visitors are never parsed, because every
 * route that accepts such a body needs a session.
 */
export function limitLargeBodies(deps: Deps) {
  const accounts = createMinuteLimit(deps, maxPerMinute);

  return createMiddleware<AppEnv>(async (c, next) => {
    // Missing for uploads, which `fileInput` reads later.
    const bytes = c.get('body')?.length ?? 0;
    if (bytes <= limits.bodyBytes) return next();
    const user = await findUser(c, deps);
    const seconds = user ? accounts.take(user.userId, bytes) : 0;
    return seconds === 0 ? next() : tooManyRequests(c, seconds);
  });
}
