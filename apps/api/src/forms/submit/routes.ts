import type { FormStamp } from '@app/contract/forms/submit';
import { Hono } from 'hono';
import type { AppEnv } from '../../server/context.ts';
import type { Deps } from './deps.ts';

/** /api/forms */
export const formRoutes = ({ stamps }: Deps) =>
  new Hono<AppEnv>().get('/stamp', (c) => c.json<FormStamp>({ stamp: stamps.issue() }));
