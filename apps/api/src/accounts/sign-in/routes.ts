import { accountMessages } from '@app/contract/accounts/messages';
import { findReturnPath, signInPath } from '@app/contract/accounts/return-path';
import {
  confirmation,
  credentials,
  forgottenPassword,
  passwordReset,
  resendConfirmation as resendInput,
  type SessionReply,
  signInAgain as signInAgainInput,
} from '@app/contract/accounts/sign-in';
import { Hono } from 'hono';
import { clientAddress } from '../../server/client-address.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { checkInput, invalidInput, noteFormPost, readBody, readInput } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { previousPage } from '../../server/previous-page.ts';
import { problem } from '../../server/problem.ts';
import { tooManyRequests } from '../../server/rate-limits.ts';
import {
  deviceOf,
  findUser,
  hasSignedUp,
  rememberSignUp,
  sessionIdOf,
  setCookies,
  startSession,
} from '../sessions/session-cookie.ts';
import type { Authenticated, SignedIn } from '../sessions/sessions.ts';
import { getUser } from '../sessions/user.ts';
import { findCommonPasswordIssue } from './common-passwords.ts';
import { confirmEmail, type DeadLink, findDeadLink } from './confirmation.ts';
import type { Deps } from './deps.ts';
import { createAccountLimits, type TooMany } from './limits.ts';
import { isResetLinkValid, mailPasswordReset, resetPassword } from './password-reset.ts';
import { type ClientInfo, createSignIn } from './sign-in.ts';
import { resendConfirmation, signUp } from './sign-up.ts';

/** /api/auth */
export const accountRoutes = (deps: Deps) => {
  const limits = createAccountLimits(deps);
  const { signIn, signInAgain } = createSignIn(deps, limits);
  const clientInfoOf = (c: AppContext): ClientInfo => ({
    address: clientAddress(c, deps),
    device: deviceOf(c, deps),
  });

  return new Hono<AppEnv>()
    .post('/sign-up', async (c) => {
      const input = readInput(c, credentials, { page: '/auth' });
      if ('refusal' in input) return input.refusal;
      const common = await findCommonPasswordIssue(input.value.password);
      if (common) return invalidInput(c, [common], 'common');
      const { email } = input.value;
      const tooMany = await limits.signUp({ address: clientAddress(c, deps), email });
      if (tooMany) return tooManyTries(c, tooMany);
      await signUp(deps, input.value);
      rememberSignUp(c, deps, input.value);
      return accepted(c, '/auth#signed-up');
    })
    .post('/resend-confirmation', async (c) => {
      const read = readBody(c, { page: '/auth' });
      if ('refusal' in read) return read.refusal;
      const checked = checkInput(resendInput, read.body);
      if ('issues' in checked) return invalidInput(c, checked.issues, 'resend-invalid');
      const { email } = checked.value;
      const tooMany = await limits.resend({ address: clientAddress(c, deps), email });
      if (tooMany) return tooManyTries(c, tooMany);
      await resendConfirmation(deps, email);
      return accepted(c, '/auth#confirmation-sent');
    })
    .post('/confirm', async (c) => {
      const input = readInput(c, confirmation, { page: '/auth' });
      if ('refusal' in input) return input.refusal;
      const tooMany = await limits.link(clientAddress(c, deps));
      if (tooMany) return tooManyTries(c, tooMany);
      const result = await confirmEmail(deps, input.value.token);
      if ('userId' in result) return welcome(c, deps, result);
      if (isFormPost(c)) return c.redirect(authPageOf(result), 303);
      return problem(c, 'dead_link', accountMessages.confirmation.deadLink);
    })
    .post('/sign-in', async (c) => {
      const next = returnPathOf(c, deps);
      const page = next === null ? '/auth' : signInPath(next);
      const input = readInput(c, credentials, { page });
      if ('refusal' in input) return input.refusal;
      const result = await signIn(input.value, clientInfoOf(c));
      if ('userId' in result) return welcome(c, deps, result, { page: next ?? '/blog' });
      if ('tooMany' in result) return tooManyTries(c, result.tooMany);
      const { wrong, notConfirmed } = accountMessages.signIn;
      return hasSignedUp(c, deps, input.value)
        ? problem(c, 'email_not_confirmed', notConfirmed.description)
        : problem(c, 'invalid_credentials', wrong);
    })
    .post('/sign-in-again', async (c) => {
      const input = readInput(c, signInAgainInput, { page: '/profile' });
      if ('refusal' in input) return input.refusal;
      const signedIn = await findUser(c, deps);
      if (!signedIn) return problem(c, 'not_signed_in', accountMessages.reauthentication.signedOut);
      const result = await signInAgain(signedIn.userId, input.value.password, clientInfoOf(c));
      if ('userId' in result) {
        return welcome(c, deps, result, { page: '/profile#settings', continues: signedIn });
      }
      if ('tooMany' in result) return tooManyTries(c, result.tooMany);
      return problem(c, 'invalid_credentials', accountMessages.reauthentication.wrong, {
        notice: 'again-wrong',
      });
    })
    .post('/forgot-password', async (c) => {
      const input = readInput(c, forgottenPassword, { page: '/auth/forgot' });
      if ('refusal' in input) return input.refusal;
      const { email } = input.value;
      const tooMany = await limits.reset({ address: clientAddress(c, deps), email });
      if (tooMany) return tooManyTries(c, tooMany);
      await mailPasswordReset(deps, email);
      return accepted(c, '/auth/forgot#sent');
    })
    .post('/reset-password', async (c) => {
      const read = readBody(c, { page: deadResetLink });
      if ('refusal' in read) return read.refusal;
      if (isFormPost(c)) c.set('formPage', resetPageOf(read.body));
      const checked = checkInput(passwordReset, read.body);
      if ('issues' in checked) return invalidInput(c, checked.issues);
      const common = await findCommonPasswordIssue(checked.value.password);
      if (common) return invalidInput(c, [common], 'common');
      const address = clientAddress(c, deps);
      const tooMany = await limits.link(address);
      if (tooMany) return tooManyTries(c, tooMany);
      const reset = await resetPassword(deps, checked.value);
      if (reset) {
        await limits.forgetSignIns({ address, email: reset.email, deviceNonce: null });
        return welcome(c, deps, reset);
      }
      if (isFormPost(c)) return c.redirect(deadResetLink, 303);
      return problem(c, 'dead_link', accountMessages.password.deadLink.description);
    })
    .post('/sign-out', async (c) => {
      const isForm = noteFormPost(c, '/');
      setCookies(c, await deps.sessions.end(sessionIdOf(c, deps)));
      return isForm ? c.redirect('/', 303) : c.body(null, 204);
    })
    .get('/session', async (c) => {
      const signedIn = await findUser(c, deps);
      const user = signedIn && (await getUser(deps, signedIn.userId));
      return c.json({ user } satisfies SessionReply);
    });
};

/** The page that a mailed link opens. It only shows a button: programs that follow links confirm nothing. */
export const confirmPage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    const dead = findDeadLink(deps, token);
    return dead ? c.redirect(authPageOf(dead), 303) : { kind: 'confirm', token };
  };

/** The page of the link in a mail of a forgotten password: the form for a new one. */
export const resetPage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    return isResetLinkValid(deps, token)
      ? { kind: 'passwordReset', token }
      : c.redirect(deadResetLink, 303);
  };

/**
 * The page that a sign-in without scripts leads to: the sign-in page is a file, so what its URL says
 * comes with the Referer header alone.
 */
const returnPathOf = (c: AppContext, { settings }: Deps): string | null => {
  const { search } = new URL(
    previousPage(c.req.header('Referer'), settings.publicUrl),
    settings.publicUrl,
  );
  return findReturnPath(search);
};

/** Where another link can be had. */
const deadResetLink = '/auth/forgot#dead-link';

/** The page that a refused form without scripts came from: the one of its link. */
const resetPageOf = (body: unknown): string => {
  const { token = '' } = body as { token?: string };
  // A longer one is no link of ours, and the page says so.
  return `/auth/reset?${new URLSearchParams({ token: token.slice(0, 200) })}`;
};

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

const tooManyTries = (c: AppContext, { retryAfterSeconds, detail }: TooMany): Response =>
  tooManyRequests(c, retryAfterSeconds, detail, 'too-many');

/** Signed in: who they are from now on, or for a form without scripts a page. */
async function welcome(
  c: AppContext,
  deps: Deps,
  authenticated: Authenticated,
  { page = '/blog', continues }: { page?: string; continues?: SignedIn } = {},
): Promise<Response> {
  if (!(await startSession(c, deps, authenticated, continues))) {
    return continues
      ? problem(c, 'not_signed_in', accountMessages.reauthentication.signedOut)
      : problem(c, 'invalid_credentials', accountMessages.signIn.wrong);
  }
  if (isFormPost(c)) return c.redirect(page, 303);
  return c.json({ user: await getUser(deps, authenticated.userId) } satisfies SessionReply);
}
