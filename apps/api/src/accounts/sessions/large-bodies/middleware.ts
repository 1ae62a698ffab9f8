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
 * In bytes. Forms count as the HTML of a page that shows them again. Parsing 2 MB and rendering
 * that page takes 50 ms.
 */
const maxPerMinute = {
  /** Typing fast in a post of maximum length sends 100 MB of drafts and previews. */
  account: 134_217_728,
  /** Per IP address. Visitors whose session has ended get the text of their form back. */
  visitor: 16_777_216,
};

/**
 * Limits bodies that are larger than most routes accept. Runs after `readBodyFirst`, before
 * anything parses the body. A form without JavaScript gets a page as response.
 */
export function limitLargeBodies(deps: Deps) {
  const accounts = createMinuteLimit(deps, maxPerMinute.account);
  const visitors = createMinuteLimit(deps, maxPerMinute.visitor);

  function takeOfVisitor(c: AppContext, bytes: number): number {
    const address = clientAddress(c, deps);
    return address === null ? 0 : visitors.take(address, bytes);
  }

  return createMiddleware<AppEnv>(async (c, next) => {
    // Missing for uploads, which `fileInput` reads later.
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
