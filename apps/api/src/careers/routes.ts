import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { submissionHandler } from '../http/submission-handler.ts';
import { createCareerForm } from './careers.ts';

/** /api/careers */
export const careerRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', submissionHandler(deps, createCareerForm(deps)));
