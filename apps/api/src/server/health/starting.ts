import { Hono } from 'hono';
import type { Log } from '../../log.ts';
import type { AppEnv } from '../context.ts';
import { problem } from '../problem.ts';
import { requestLog } from '../request-log.ts';
import { live } from './live.ts';

const headers = { 'Retry-After': '1' };

/** Answers while the server starts: it is live, but not ready. */
export const startingApp = (log: Log, isHttps: boolean) =>
  new Hono<AppEnv>()
    .use(requestLog(log, isHttps))
    .get('/api/health/live', live)
    .get('/api/health/ready', (c) => problem(c, 'busy', 'The server is starting.', { headers }))
    .notFound((c) => c.text('The site is starting.\n', 503, headers));
