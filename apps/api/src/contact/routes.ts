import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { submissionHandler } from '../http/submission-handler.ts';
import { createContactForm } from './contact.ts';

/** /api/contact */
export const contactRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', submissionHandler(deps, createContactForm(deps)));
