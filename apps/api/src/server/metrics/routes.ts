import { Hono } from 'hono';
import { isDirectLocalRequest } from '../client-address.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { describeEndpoint } from '../describe-endpoint.ts';
import { problem } from '../problem.ts';
import type { Metrics } from './metrics.ts';
import { type ReadingDeps, takeReadings } from './readings.ts';
import { hasMetricsToken, type TokenSettings } from './token.ts';

export interface Deps extends ReadingDeps {
  metrics: Metrics;
  settings: ReadingDeps['settings'] & TokenSettings;
}

export const metricsRoutes = (deps: Deps) =>
  new Hono<AppEnv>().get(
    '/',
    describeEndpoint({
      summary: 'Get metrics for Prometheus',
      description:
        'Requires METRICS_TOKEN (`Authorization: Bearer`). If it is not set, only programs on this machine that do not use a proxy may read metrics.',
      replies: {
        200: { description: 'The text format of Prometheus.', contentType: 'text/plain' },
      },
      problems: ['not_allowed'],
    }),
    async (c) => {
      const refusal = refuse(c, deps.settings);
      if (refusal) return refusal;
      const text = await deps.metrics.format(await takeReadings(deps));
      return c.body(text, 200, { 'Content-Type': deps.metrics.contentType });
    },
  );

function refuse(c: AppContext, settings: TokenSettings): Response | null {
  if (settings.metricsToken === undefined) {
    if (isDirectLocalRequest(c)) return null;
    const detail = 'Only programs on this machine may read metrics. Set METRICS_TOKEN for others.';
    return problem(c, 'not_allowed', detail);
  }
  if (hasMetricsToken(c, settings)) return null;
  return problem(c, 'not_allowed', 'Send METRICS_TOKEN as `Authorization: Bearer <token>`.');
}
