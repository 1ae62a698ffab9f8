import { Hono } from 'hono';
import type { AppEnv } from '../../server/context.ts';
import type { Deps } from '../submit/deps.ts';
import { submissionHandlers } from '../submit/handler.ts';
import { createContactForm } from './contact.ts';

export const contactRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', ...submissionHandlers(deps, createContactForm(deps)));
