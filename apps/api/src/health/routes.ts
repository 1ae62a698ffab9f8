import { users } from '@app/db/schema/accounts';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { problem } from '../http/problem.ts';

/** /api/health: 200 when the database answers and the site is served. */
export const healthRoutes = (deps: Deps) =>
  new Hono<AppEnv>().get('/', async (c) => {
    const { db, outbox, publisher, renderer, siteFiles } = deps;
    await db.select({ id: users.id }).from(users).limit(1);
    if (!(await siteFiles.load('/'))) return problem(c, 'busy', 'The site is not published yet.');
    return c.json({
      status: 'ok',
      versions: { node: process.version, build: renderer.buildId },
      queues: { mail: await outbox.depth(), publishing: { pending: await publisher.depth() } },
    });
  });
