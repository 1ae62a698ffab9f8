import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import { problem } from './problem.ts';

/**
 * Calls that other programs make, from no page at all: a mail program's unsubscribe button
 * (RFC 8058) and a mail service's reports. What permits each of them is a secret in the call
 * itself, and none of them looks at a cookie, so there is nothing to forge with a visitor's browser.
 */
const callsWithoutOrigin: readonly string[] = [
  'POST /api/newsletter/unsubscribe',
  'POST /api/mail/resend-events',
];

/**
 * Refuses a change that another site's page sends with a visitor's cookies
 * (OWASP CSRF Prevention, "Verifying Origin"). Browsers put Origin on every such
 * request, so one without it is no page of ours either.
 */
export const originCheck = (publicUrl: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.header('Origin') === publicUrl) return next();
    if (callsWithoutOrigin.includes(`${c.req.method} ${c.req.path}`)) return next();
    return problem(
      c,
      'forbidden_origin',
      `Changes are taken from ${publicUrl} only; send it as the Origin header.`,
    );
  });
