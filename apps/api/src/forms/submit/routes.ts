import type { FormTokenReply } from '@app/contract/forms/submit';
import { Hono } from 'hono';
import type { AppEnv } from '../../server/context.ts';
import type { Deps } from './deps.ts';

/** /api/forms */
export const formRoutes = ({ formTokens }: Deps) =>
  new Hono<AppEnv>().get('/token', (c) => c.json<FormTokenReply>({ token: formTokens.issue() }));
