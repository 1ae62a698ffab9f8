import {
  confirmation,
  credentials,
  resendConfirmation as resendInput,
  type SessionReply,
} from '@app/contract/accounts';
import { messages } from '@app/contract/messages';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppContext, AppEnv } from '../http/context.ts';
import { noteFormPost, readInput } from '../http/input.ts';
import { personalPage } from '../http/page.ts';
import { problem } from '../http/problem.ts';
import { findUser, sessionIdOf, setCookies } from '../http/session.ts';
import {
  confirmEmail,
  type DeadLink,
  findDeadLink,
  resendConfirmation,
  signIn,
  signUp,
} from './accounts.ts';
import { mayWrite } from './permissions.ts';
import type { SignedIn } from './sessions.ts';

/** /api/auth */
export const accountRoutes = (deps: Deps) =>
  new Hono<AppEnv>()
    .post('/sign-up', async (c) => {
      const input = await readInput(c, credentials, { page: '/auth' });
      if ('refusal' in input) return input.refusal;
      await signUp(deps, input.value);
      return accepted(c, '/auth#signed-up');
    })
    .post('/resend-confirmation', async (c) => {
      const input = await readInput(c, resendInput, { page: '/auth' });
      if ('refusal' in input) return input.refusal;
      await resendConfirmation(deps, input.value.email);
      return accepted(c, '/auth#confirmation-sent');
    })
    .post('/confirm', async (c) => {
      const input = await readInput(c, confirmation, { page: '/auth' });
      if ('refusal' in input) return input.refusal;
      const result = await confirmEmail(deps, input.value.token);
      if ('userId' in result) return startSession(c, deps, result.userId);
      if (isFormPost(c)) return c.redirect(authPageOf(result), 303);
      return problem(c, 'dead_link', messages.confirmation.deadLink);
    })
    .post('/sign-in', async (c) => {
      const input = await readInput(c, credentials, { page: '/auth' });
      if ('refusal' in input) return input.refusal;
      const result = await signIn(deps, input.value);
      if ('userId' in result) return startSession(c, deps, result.userId);
      const { wrong, notConfirmed } = messages.signIn;
      const isWrong = result.refused === 'invalid_credentials';
      return problem(c, result.refused, isWrong ? wrong : notConfirmed.description);
    })
    .post('/sign-out', async (c) => {
      const isForm = noteFormPost(c, '/');
      setCookies(c, await deps.sessions.end(sessionIdOf(c, deps)));
      return isForm ? c.redirect('/', 303) : c.body(null, 204);
    })
    .get('/session', async (c) => c.json(replyFor(deps, await findUser(c, deps))));

/** The page that a mailed link opens. It only shows a button: programs that follow links confirm nothing. */
export const confirmPageRoutes = (deps: Deps) =>
  new Hono<AppEnv>().get('/', async (c) => {
    const token = c.req.query('token') ?? '';
    const dead = await findDeadLink(deps, token);
    if (dead) return c.redirect(authPageOf(dead), 303);
    return personalPage(c, deps, { kind: 'confirm', token });
  });

const isFormPost = (c: AppContext): boolean => c.get('formPage') !== undefined;

/**
 * Where a dead link leads: to the notice with the button that mails a new one. The
 * address in the query is for scripts, the fragment for browsers without.
 */
const authPageOf = ({ deadLinkOf }: DeadLink): string =>
  deadLinkOf === null
    ? '/auth#dead-link'
    : `/auth?email=${encodeURIComponent(deadLinkOf)}#dead-link`;

const accepted = (c: AppContext, page: string): Response =>
  isFormPost(c) ? c.redirect(page, 303) : c.json({ accepted: true }, 202);

async function startSession(c: AppContext, deps: Deps, userId: string): Promise<Response> {
  const previous = sessionIdOf(c, deps);
  // A session that was there before ends: nobody goes on under an id that somebody else may know.
  if (previous !== undefined) await deps.sessions.end(previous);
  const { sessionId, cookies } = await deps.sessions.start(userId);
  setCookies(c, cookies);
  if (isFormPost(c)) return c.redirect('/blog', 303);
  return c.json(replyFor(deps, await deps.sessions.find(sessionId)));
}

const replyFor = ({ settings }: Deps, user: SignedIn | null): SessionReply => ({
  user: user && { id: user.userId, email: user.email, mayWrite: mayWrite(settings, user) },
});
