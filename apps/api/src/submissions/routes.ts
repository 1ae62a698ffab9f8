import type { FormStamp, SubmissionForm } from '@app/contract/submissions';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { personalPage } from '../http/page.ts';
import { findKeptEntries } from './kept-entries.ts';

/** /api/forms */
export const formRoutes = ({ stamps }: Deps) =>
  new Hono<AppEnv>().get('/stamp', (c) => c.json<FormStamp>({ stamp: stamps.issue() }));

/** /contact/again, /careers/again: a refused form once more, with what somebody typed without scripts. */
export const formAgainRoutes = (deps: Deps, form: SubmissionForm) =>
  new Hono<AppEnv>().get('/:token', async (c) => {
    const kept = await findKeptEntries(deps, form, c.req.param('token'));
    return kept
      ? personalPage(c, deps, { kind: 'formAgain', ...kept })
      : c.redirect(`/${form}`, 303);
  });
