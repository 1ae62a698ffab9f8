import type { FormStamp, SubmissionForm } from '@app/contract/forms/submit';
import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import type { AppEnv } from '../../server/context.ts';
import { personalPage } from '../../server/rendered-page.ts';
import { findKeptEntries } from './saved-entries.ts';

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
