import { Hono } from 'hono';
import type { AppEnv } from '../../server/context.ts';
import type { Deps } from '../submit/deps.ts';
import { submissionHandler } from '../submit/handler.ts';
import { createContactForm } from './contact.ts';

/** /api/contact */
export const contactRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', submissionHandler(deps, createContactForm(deps)));
