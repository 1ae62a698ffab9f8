import { Hono } from 'hono';
import type { AppEnv } from '../../server/context.ts';
import type { Deps } from '../submit/deps.ts';
import { submissionHandlers } from '../submit/handler.ts';
import { createCareerForm } from './careers.ts';

export const careerRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', ...submissionHandlers(deps, createCareerForm(deps)));
