import { type HealthReply, healthReply } from '@app/contract/health';
import { Hono } from 'hono';
import type { AppEnv } from '../context.ts';
import type { Deps as ServerDeps } from '../deps.ts';
import { describeEndpoint } from '../describe-endpoint.ts';
import { problem } from '../problem.ts';
import type { Health } from './health.ts';

export interface Deps extends Pick<ServerDeps, 'log' | 'siteFiles'> {
  health: Health;
  renderer: { buildId: string };
  outbox: { depth(): Promise<{ queued: number; dead: number }> };
  publisher: { depth(): Promise<number> };
}

/** /api/health: 200 while pages are served, with all other problems; 503 when they are not. */
export const healthRoutes = (deps: Deps) =>
  new Hono<AppEnv>().get(
    '/',
    describeEndpoint({
      summary: 'Report the health of the server',
      replies: { 200: { description: 'The site is served.', schema: healthReply } },
    }),
    async (c) => {
      const { renderer, siteFiles, health } = deps;
      const home = await siteFiles.load('/').catch((error: unknown) => {
        deps.log.error({ err: error }, 'cannot read the home page');
        return null;
      });
      if (!home) return problem(c, 'busy', 'The site is not published yet.');
      const queues = await queueDepths(deps);
      const problems = health.problems();
      if (queues === null) problems.push('The database cannot be read.');
      return c.json({
        status: problems.length === 0 ? 'ok' : 'degraded',
        problems,
        versions: { node: process.version, build: renderer.buildId },
        queues,
      } satisfies HealthReply);
    },
  );

async function queueDepths({ outbox, publisher, log }: Deps) {
  try {
    return { mail: await outbox.depth(), publishing: { pending: await publisher.depth() } };
  } catch (error) {
    log.error({ err: error }, 'cannot count the queues');
    return null;
  }
}
