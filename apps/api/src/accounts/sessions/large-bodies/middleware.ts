import { limits } from '@app/contract/limits';
import { createMiddleware } from 'hono/factory';
import { clientAddress } from '../../../server/client-address.ts';
import type { AppContext, AppEnv } from '../../../server/context.ts';
import { htmlBytes } from '../../../server/html-bytes.ts';
import { isSentForm } from '../../../server/input.ts';
import { createMinuteLimit } from '../../../server/minute-limit.ts';
import { tooManyRequests } from '../../../server/rate-limits/middleware.ts';
import { unreceivedForm } from '../../../server/unreceived-form.ts';
import type { Deps } from '../deps.ts';
import { findUser } from '../session-cookie.ts';

/**
 * In bytes, of forms as HTML, because they may be shown again. Parsing 2 MB, and showing what can
 * be shown of it, takes 50 ms.
 */
const maxPerMinute = {
  /** Fast typing in the longest post sends 100 MB of drafts and previews. */
  account: 134_217_728,
  /** By address. Visitors whose session has ended get the text of their form back. */
  visitor: 16_777_216,
};

/**
 * After `readBodyFirst`, before anything parses a body: limits those that are larger than most
 * routes take. A form without JavaScript is answered with a page.
 */
export function limitLargeBodies(deps: Deps) {
  const accounts = createMinuteLimit(deps, maxPerMinute.account);
  const visitors = createMinuteLimit(deps, maxPerMinute.visitor);

  function takeOfVisitor(c: AppContext, bytes: number): number {
    const address = clientAddress(c, deps);
    return address === null ? 0 : visitors.take(address, bytes);
  }

  return createMiddleware<AppEnv>(async (c, next) => {
    // Uploads are read later, by `fileInput`.
    const body = c.get('body') ?? Buffer.alloc(0);
    const bytes = isSentForm(c) ? htmlBytes(body) : body.length;
    if (bytes <= limits.bodyBytes) return next();
    const user = await findUser(c, deps);
    const seconds = user ? accounts.take(user.userId, bytes) : takeOfVisitor(c, bytes);
    if (seconds === 0) return next();
    if (!isSentForm(c)) return tooManyRequests(c, seconds);
    c.header('Retry-After', String(seconds));
    return unreceivedForm(c, deps, 'too-many');
  });
}
