import { type ClientError, clientError } from '@app/contract/client-errors/client-errors';
import { Hono } from 'hono';
import { clientAddress } from '../server/client-address.ts';
import type { AppEnv } from '../server/context.ts';
import type { Deps as ServerDeps } from '../server/deps.ts';
import { describeEndpoint } from '../server/describe-endpoint.ts';
import { input } from '../server/input.ts';
import type { Metrics } from '../server/metrics/metrics.ts';
import { createMinuteLimit } from '../server/minute-limit.ts';
import { tooManyRequests } from '../server/rate-limits/middleware.ts';
import { createReportGroups } from './report-groups.ts';

export interface Deps extends Pick<ServerDeps, 'clock' | 'log' | 'settings'> {
  metrics: Pick<Metrics, 'countReport'>;
}

/** Per minute. A page sends a few. */
const maxPerAddress = 20;

const example: ClientError = {
  kind: 'error',
  message: 'TypeError: x is undefined',
  stack: 'TypeError: x is undefined\n    at https://example.com/_astro/form.Bq3x.js:1:200',
};

/** Receives what apps/web/src/client-errors/report-errors.ts sends. */
export function clientErrorRoutes(deps: Deps) {
  const groups = createReportGroups(deps);
  const perAddress = createMinuteLimit(deps, maxPerAddress);
  return new Hono<AppEnv>().post(
    '/',
    describeEndpoint({
      summary: 'Report a script error, or what the content security policy blocked',
      description: 'Sent by pages of the site. Grouped, logged and counted.',
      replies: { 204: { description: 'Counted.' } },
      problems: ['too_many_requests'],
    }),
    async (c, next) => {
      const address = clientAddress(c, deps);
      const seconds = address === null ? 0 : perAddress.take(address, 1);
      return seconds === 0 ? next() : tooManyRequests(c, seconds);
    },
    input(clientError, { example }),
    (c) => {
      const report = c.req.valid('json');
      groups.add(report, clientAddress(c, deps) ?? 'localhost');
      deps.metrics.countReport(report.kind);
      return c.body(null, 204);
    },
  );
}
