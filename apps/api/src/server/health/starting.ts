import { Hono } from 'hono';
import type { AppEnv } from '../context.ts';
import { problem } from '../problem.ts';
import { requestLog } from '../request-log.ts';
import { live } from './live.ts';

const headers = { 'Retry-After': '1' };

export const startingApp = (parts: Parameters<typeof requestLog>[0]) =>
  new Hono<AppEnv>()
    .use(requestLog(parts))
    .get('/api/health/live', live)
    .get('/api/health/ready', (c) => problem(c, 'busy', 'The server is starting.', { headers }))
    .notFound((c) => c.text('The site is starting.\n', 503, headers));
