import { minute } from '@app/contract/durations';
import { Hono } from 'hono';
import type { AppEnv } from '../server/context.ts';
import { describeEndpoint } from '../server/describe-endpoint.ts';
import { problem } from '../server/problem.ts';
import type { RateLimit } from '../server/rate-limits/rate-limits.ts';
import { type Suppress, type SuppressionDeps, suppress } from './suppressions.ts';

/** Resend delivers an event again with the same id. As long as its signature can be valid. */
const events: RateLimit = { name: 'resend-event', max: 1, milliseconds: 11 * minute };

const suppressOnce = (deps: SuppressionDeps, suppression: Suppress, id: string): Promise<void> =>
  suppress(deps, suppression, (tx) => deps.rateLimits.takeIn(tx, events, id).allowed);

export const emailRoutes = (deps: SuppressionDeps) =>
  new Hono<AppEnv>().post(
    '/resend-events',
    describeEndpoint({
      summary: 'Receive events from Resend',
      description:
        'Signed with RESEND_WEBHOOK_SECRET (headers svix-id, svix-timestamp, svix-signature).',
      replies: { 204: { description: 'Processed.' } },
      problems: ['not_configured', 'not_allowed'],
    }),
    async (c) => {
      const secret = deps.settings.resendWebhookSecret;
      if (secret === undefined) {
        return problem(c, 'not_configured', 'RESEND_WEBHOOK_SECRET is not set.');
      }
      const report = {
        body: c.get('body'),
        headers: {
          id: c.req.header('svix-id') ?? '',
          timestamp: c.req.header('svix-timestamp') ?? '',
          signature: c.req.header('svix-signature') ?? '',
        },
      };
      let suppression: Suppress | null;
      try {
        // Loads Resend's library, which few sites need.
        const { readEvent, verifyReport } = await import('./resend-events.ts');
        const verified = verifyReport(report, secret);
        if (!verified) return problem(c, 'not_allowed', 'The event is not signed, or too old.');
        suppression = readEvent(verified.event);
      } catch (error) {
        deps.log.error({ err: error }, 'could not read an event from Resend');
        return problem(c, 'malformed_body', 'Unknown event.');
      }
      if (suppression) await suppressOnce(deps, suppression, report.headers.id);
      return c.body(null, 204);
    },
  );
