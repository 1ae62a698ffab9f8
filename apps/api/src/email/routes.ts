import { Hono } from 'hono';
import type { AppEnv } from '../server/context.ts';
import { problem } from '../server/problem.ts';
import type { Deps } from './deps.ts';
import { isSigned, readEvent } from './resend-events.ts';
import { type Suppress, suppress } from './suppressions.ts';

/** /api/mail: what mail services report. */
export const mailRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/resend-events', async (c) => {
    // The bytes as they came: the signature is over them, not over what they mean.
    const body = c.get('body');
    const secret = deps.settings.resendWebhookSecret;
    if (secret === undefined) {
      return problem(c, 'not_configured', 'RESEND_WEBHOOK_SECRET is not set.');
    }
    const report = {
      id: c.req.header('svix-id') ?? '',
      timestamp: c.req.header('svix-timestamp') ?? '',
      signatures: c.req.header('svix-signature') ?? '',
      body,
    };
    if (!isSigned(report, secret, deps.clock.now())) {
      return problem(c, 'not_allowed', 'The event is not signed, or too old.');
    }
    let lost: Suppress | null;
    try {
      lost = readEvent(body);
    } catch (error) {
      deps.log.error({ err: error }, 'could not read an event from Resend');
      return problem(c, 'malformed_body', 'Unknown event.');
    }
    if (lost) await suppress(deps, lost);
    return c.body(null, 204);
  });
