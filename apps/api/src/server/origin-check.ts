import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import { problem } from './problem.ts';

/**
 * Rejects changes from other sites (OWASP CSRF Prevention, "Verifying Origin"). Browsers always
 * send Origin with them, so it is required.
 * @param exceptions endpoints, see `Feature`
 */
export const originCheck = (publicUrl: string, exceptions: readonly string[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.header('Origin') === publicUrl) return next();
    if (exceptions.includes(`${c.req.method} ${c.req.path}`)) return next();
    return problem(
      c,
      'forbidden_origin',
      `Changes are only accepted from ${publicUrl}. Send it as the Origin header.`,
    );
  });
