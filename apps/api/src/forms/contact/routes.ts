import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import type { AppEnv } from '../../server/context.ts';
import { submissionHandler } from '../submit/handler.ts';
import { createContactForm } from './contact.ts';

/** /api/contact */
export const contactRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', submissionHandler(deps, createContactForm(deps)));
