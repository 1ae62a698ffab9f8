import { randomUUID } from 'node:crypto';
import {
  type ConnectionReply,
  connectionReply,
  type HealthReply,
  healthReply,
  liveReply,
  type ReadyReply,
  readyReply,
} from '@app/contract/health';
import { Hono } from 'hono';
import { version } from '../../version.ts';
import { clientAddress } from '../client-address.ts';
import type { AppEnv } from '../context.ts';
import type { Deps as ServerDeps } from '../deps.ts';
import { describeEndpoint } from '../describe-endpoint.ts';
import { hasMetricsToken, type TokenSettings } from '../metrics/token.ts';
import { problem } from '../problem.ts';
import type { Health } from './health.ts';
import { live } from './live.ts';
import type { Storage } from './storage.ts';

export interface Deps extends Pick<ServerDeps, 'log' | 'siteFiles'> {
  settings: ServerDeps['settings'] & TokenSettings;
  health: Health;
  metrics: { reports(): { error: number; csp: number } };
  storage: Pick<Storage, 'findProblem'>;
  renderer: { buildId: string };
  outbox: { depth(): { queued: number; dead: number } };
  publisher: { depth(): number };
}

/**
 * `/api/health` is for people and alerts: it answers 200 while pages are served, and lists all
 * other problems. `/live` and `/ready` are for programs that restart the server or wait for it.
 */
export function healthRoutes(deps: Deps) {
  const server = randomUUID();
  return new Hono<AppEnv>()
    .get(
      '/',
      describeEndpoint({
        summary: 'Report the health of the server',
        replies: { 200: { description: 'The site is served.', schema: healthReply } },
      }),
      async (c) => {
        const { renderer, health } = deps;
        if (!(await isPublished(deps))) return problem(c, 'busy', notPublished);
        const queues = queueDepths(deps);
        const problems = health.problems();
        const reports = deps.metrics.reports();
        if (queues === null) problems.push('The database cannot be read.');
        return c.json({
          status: problems.length === 0 ? 'ok' : 'degraded',
          problems,
          versions: { app: version, node: process.version, build: renderer.buildId },
          // Whether a request queues an email can reveal whether an address has an account.
          ...(hasMetricsToken(c, deps.settings) && { queues }),
          reports: { errors: reports.error, policyViolations: reports.csp },
        } satisfies HealthReply);
      },
    )
    .get(
      '/live',
      describeEndpoint({
        summary: 'Report that the process answers',
        description:
          'Also answers while the server starts and stops. Reads neither the disk nor the database.',
        replies: { 200: { description: 'The process answers.', schema: liveReply } },
      }),
      live,
    )
    .get(
      '/ready',
      describeEndpoint({
        summary: 'Report whether the server can do all its work',
        description:
          'Pages are served, and the database and the disk can be read and written. 503 while the server starts and stops.',
        replies: { 200: { description: 'The server is ready.', schema: readyReply } },
      }),
      async (c) => {
        const reason = await findReasonToWait(deps);
        if (reason !== null) return problem(c, 'busy', reason, { headers: { 'Retry-After': '2' } });
        return c.json({ status: 'ready' } satisfies ReadyReply);
      },
    )
    .get(
      '/connection',
      describeEndpoint({
        summary: 'Report which process answers and which address it counts as the client',
        description:
          'For checking a deployment: whether a URL reaches this server, and whether its proxies forward the addresses of their clients.',
        replies: { 200: { description: 'The process and the address.', schema: connectionReply } },
      }),
      (c) => c.json({ server, client: clientAddress(c, deps) } satisfies ConnectionReply),
    );
}

const notPublished = 'The site is not published yet.';

async function isPublished({ siteFiles, log }: Deps): Promise<boolean> {
  const home = await siteFiles.load('/').catch((error: unknown) => {
    log.error({ err: error }, 'cannot read the home page');
    return null;
  });
  return home !== null;
}

/** One sentence; null if the server is ready. */
async function findReasonToWait(deps: Deps): Promise<string | null> {
  if (deps.health.isStopping()) return 'The server is stopping.';
  if (!(await isPublished(deps))) return notPublished;
  return deps.storage.findProblem();
}

function queueDepths({ outbox, publisher, log }: Deps) {
  try {
    return { mail: outbox.depth(), publishing: { pending: publisher.depth() } };
  } catch (error) {
    log.error({ err: error }, 'cannot count the queues');
    return null;
  }
}
