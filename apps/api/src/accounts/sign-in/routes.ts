import { accountMessages } from '@app/contract/accounts/messages';
import {
  type AcceptedReply,
  acceptedReply,
  type NewPasswordReply,
  newPasswordReply,
  sessionReply,
} from '@app/contract/accounts/replies';
import {
  enteredParameter,
  findReturnPath,
  returnParameter,
  signInPath,
} from '@app/contract/accounts/return-path';
import {
  confirmation,
  credentials,
  forgottenPassword,
  passwordReset,
  resendConfirmation as resendInput,
  type SessionReply,
  signInAgain as signInAgainInput,
} from '@app/contract/accounts/sign-in';
import { limits as limitsOfFields } from '@app/contract/limits';
import { Hono } from 'hono';
import * as v from 'valibot';
import { clientAddress } from '../../server/client-address.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import { type FormFields, formPost, input, isFormPost, sentForm } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { previousPage } from '../../server/previous-page.ts';
import { problem } from '../../server/problem.ts';
import { signedIn } from '../sessions/middleware.ts';
import {
  deviceOf,
  findUser,
  sessionIdOf,
  setCookies,
  startSession,
} from '../sessions/session-cookie.ts';
import type { Authenticated, SignedIn } from '../sessions/sessions.ts';
import { getUser } from '../sessions/user.ts';
import { confirmEmail, type DeadLink, findDeadLink } from './confirmation.ts';
import type { Deps } from './deps.ts';
import { createAccountLimits } from './limits.ts';
import { admitToHashing, limitRequests, tooManyTries, uncommonPassword } from './middleware.ts';
import { emailPasswordReset, isResetLinkValid, resetPassword } from './password-reset.ts';
import { requiredNotice } from './required-notice.ts';
import { type ClientInfo, createSignIn } from './sign-in.ts';
import { resendConfirmation, signUp } from './sign-up.ts';

export const accountRoutes = (deps: Deps) => {
  const limits = createAccountLimits(deps);
  const { signIn, signInAgain } = createSignIn(deps, limits);
  const clientInfoOf = (c: AppContext): ClientInfo => ({
    address: clientAddress(c, deps),
    device: deviceOf(c, deps),
  });

  /** The sign-in page is static, so its query is only in the Referer header. */
  function returnPathOf(c: AppContext): string | null {
    const { publicUrl } = deps.settings;
    const { search } = new URL(previousPage(c.req.header('Referer'), publicUrl), publicUrl);
    return findReturnPath(search);
  }
  /** The page that shows why a form was rejected, with the typed email. */
  function signInPageOf(c: AppContext): string {
    const next = returnPathOf(c);
    const email = enteredEmail(c);
    if (email === null) return next === null ? '/auth' : signInPath(next);
    const query = { [enteredParameter]: email, ...(next && { [returnParameter]: next }) };
    return `/auth/again?${new URLSearchParams(query)}`;
  }

  /** Of a form that asks to sign in again, with the entries of the form that required it. */
  function profilePageOf(c: AppContext): string {
    const page = previousPage(c.req.header('Referer'), deps.settings.publicUrl);
    return page.startsWith('/profile?') ? page : '/profile';
  }

  return new Hono<AppEnv>()
    .post(
      '/sign-up',
      describeEndpoint({
        summary: 'Sign up',
        description: 'Sends an email with a confirmation link.',
        replies: { 202: accepted202 },
      }),
      formPost(signInPageOf, { noticePrefix: 'sign-up-' }),
      input(credentials, {
        example: { email: 'new@example.com', password: 'correct horse' },
        notice: requiredNotice,
      }),
      uncommonPassword,
      admitToHashing(deps),
      limitRequests(deps, limits.signUp),
      async (c) => {
        await signUp(deps, c.req.valid('json'));
        return accepted(c, '/auth#signed-up');
      },
    )
    .post(
      '/resend-confirmation',
      describeEndpoint({
        summary: 'Send the confirmation email again',
        replies: { 202: accepted202 },
      }),
      formPost(signInPageOf),
      input(resendInput, { example: { email: 'new@example.com' }, notice: 'resend-invalid' }),
      limitRequests(deps, limits.resend),
      async (c) => {
        await resendConfirmation(deps, c.req.valid('json').email);
        return accepted(c, '/auth#confirmation-sent');
      },
    )
    .post(
      '/confirm',
      describeEndpoint({
        summary: 'Confirm an email address with the token of its email, and sign in',
        replies: {
          200: {
            description:
              'Signed in; the response sets the session cookie. After several sign-ups with this address, not signed in: the response has a token to choose a new password.',
            schema: v.union([sessionReply, newPasswordReply]),
          },
        },
        problems: ['dead_link', 'invalid_credentials'],
      }),
      formPost('/auth'),
      input(confirmation, { example: { token: 'token' } }),
      limitRequests(deps, limits.link),
      async (c) => {
        const result = await confirmEmail(deps, c.req.valid('json').token);
        if ('userId' in result) return welcome(c, deps, result);
        if ('resetToken' in result) {
          const { resetToken } = result;
          if (!isFormPost(c)) return c.json({ resetToken } satisfies NewPasswordReply);
          return c.redirect(`${resetPageOf({ token: resetToken })}#several-sign-ups`, 303);
        }
        if (isFormPost(c)) return c.redirect(authPageOf(result), 303);
        return problem(c, 'dead_link', accountMessages.confirmation.deadLink);
      },
    )
    .post(
      '/sign-in',
      describeEndpoint({
        summary: 'Sign in with a password',
        replies: { 200: signedInReply },
        problems: ['too_many_requests', 'invalid_credentials', 'email_not_confirmed'],
      }),
      formPost(signInPageOf),
      input(credentials, {
        example: { email: 'new@example.com', password: 'correct horse' },
        notice: requiredNotice,
      }),
      admitToHashing(deps),
      async (c) => {
        const result = await signIn(c.req.valid('json'), clientInfoOf(c));
        if ('userId' in result)
          return welcome(c, deps, result, { page: returnPathOf(c) ?? '/blog' });
        if ('tooMany' in result) return tooManyTries(c, result.tooMany);
        const { wrong, notConfirmed } = accountMessages.signIn;
        return result.refused === 'email_not_confirmed'
          ? problem(c, 'email_not_confirmed', notConfirmed.description)
          : problem(c, 'invalid_credentials', wrong);
      },
    )
    .post(
      '/sign-in-again',
      describeEndpoint({
        summary: 'Confirm a session with the password, for changes that require a recent sign-in',
        replies: { 200: signedInReply },
        problems: ['too_many_requests', 'invalid_credentials'],
      }),
      formPost(profilePageOf),
      input(signInAgainInput, {
        example: { password: 'correct horse' },
        notice: (issues) => (requiredNotice(issues) ? 'again-required' : 'again-wrong'),
      }),
      signedIn(deps, signedOut),
      admitToHashing(deps),
      async (c) => {
        const { user } = c.var;
        const { password } = c.req.valid('json');
        const result = await signInAgain(user.userId, password, clientInfoOf(c));
        if ('userId' in result) {
          return welcome(c, deps, result, {
            page: `${profilePageOf(c)}#settings`,
            continues: user,
          });
        }
        if ('tooMany' in result) return tooManyTries(c, result.tooMany);
        return problem(c, 'invalid_credentials', accountMessages.reauthentication.wrong, {
          notice: 'again-wrong',
        });
      },
    )
    .post(
      '/forgot-password',
      describeEndpoint({
        summary: 'Request an email with a link to reset the password',
        replies: { 202: accepted202 },
      }),
      formPost(forgotPageOf),
      input(forgottenPassword, { example: { email: 'new@example.com' }, notice: requiredNotice }),
      limitRequests(deps, limits.reset),
      async (c) => {
        await emailPasswordReset(deps, c.req.valid('json').email);
        return accepted(c, '/auth/forgot#sent');
      },
    )
    .post(
      '/reset-password',
      describeEndpoint({
        summary: 'Set a new password with the token of an email, and sign in',
        replies: { 200: signedInReply },
        problems: ['dead_link', 'invalid_credentials'],
      }),
      formPost(deadResetLink),
      input(passwordReset, {
        example: { token: 'token', password: 'correct horse' },
        notice: requiredNotice,
        pageOf: resetPageOf,
      }),
      uncommonPassword,
      admitToHashing(deps),
      limitRequests(deps, limits.link),
      async (c) => {
        const account = await resetPassword(deps, c.req.valid('json'));
        if (account) {
          await limits.forgetSignIns({ email: account.email, deviceNonce: null });
          return welcome(c, deps, account);
        }
        if (isFormPost(c)) return c.redirect(deadResetLink, 303);
        return problem(c, 'dead_link', accountMessages.password.deadLink.description);
      },
    )
    .post(
      '/sign-out',
      describeEndpoint({
        summary: 'End the session',
        replies: { 204: { description: 'Signed out, or there was no session.' } },
        session: 'optional',
      }),
      formPost('/'),
      async (c) => {
        setCookies(c, await deps.sessions.end(sessionIdOf(c, deps)));
        return isFormPost(c) ? c.redirect('/', 303) : c.body(null, 204);
      },
    )
    .get(
      '/session',
      describeEndpoint({
        summary: 'Get the signed-in user',
        replies: { 200: { description: '`user` is null for visitors.', schema: sessionReply } },
        session: 'optional',
      }),
      async (c) => {
        const signedIn = await findUser(c, deps);
        const user = signedIn && getUser(deps, signedIn.userId);
        return c.json({ user } satisfies SessionReply);
      },
    );
};

const accepted202 = {
  description: 'Accepted, whether or not the account exists.',
  schema: acceptedReply,
};
const signedInReply = {
  description: 'Signed in; the response sets the session cookie.',
  schema: sessionReply,
};

/** /auth/again */
export const rejectedSignInPage =
  (deps: Deps): FindPage =>
  async (c) => {
    const next = findReturnPath(new URL(c.req.url).search);
    if (await findUser(c, deps)) return c.redirect(next ?? '/blog', 303);
    const email = c.req.query(enteredParameter) ?? '';
    return email === '' || email.length > limitsOfFields.email
      ? c.redirect('/auth', 303)
      : { kind: 'rejectedSignIn', email };
  };

/** /auth/forgot/again */
export const rejectedForgotPage = (): FindPage => (c) => {
  const email = c.req.query(enteredParameter) ?? '';
  return email === '' || email.length > limitsOfFields.email
    ? c.redirect('/auth/forgot', 303)
    : { kind: 'rejectedForgot', email };
};

/** Only shows a button, because programs that follow links must not confirm anything. */
export const confirmPage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    const dead = findDeadLink(deps, token);
    return dead ? c.redirect(authPageOf(dead), 303) : { kind: 'confirm', token };
  };

export const resetPage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    return isResetLinkValid(deps, token)
      ? { kind: 'passwordReset', token }
      : c.redirect(deadResetLink, 303);
  };

/** Of a form without JavaScript. Null if it is empty or too long for a URL. */
function enteredEmail(c: AppContext): string | null {
  const email = sentForm(c)?.['email'];
  return email && email.length <= limitsOfFields.email ? email : null;
}

function forgotPageOf(c: AppContext): string {
  const email = enteredEmail(c);
  return email === null
    ? '/auth/forgot'
    : `/auth/forgot/again?${new URLSearchParams({ [enteredParameter]: email })}`;
}

const deadResetLink = '/auth/forgot#dead-link';

const resetPageOf = ({ token = '' }: FormFields): string =>
  // Longer tokens are invalid, as the page will say.
  `/auth/reset?${new URLSearchParams({ token: token.slice(0, 200) })}`;

const signedOut = (c: AppContext): Response =>
  problem(c, 'not_signed_in', accountMessages.reauthentication.signedOut);

/** Offers a new link. The query is for scripts, the fragment for browsers without JavaScript. */
const authPageOf = ({ deadLinkOf }: DeadLink): string =>
  deadLinkOf === null
    ? '/auth#dead-link'
    : `/auth?email=${encodeURIComponent(deadLinkOf)}#dead-link`;

const accepted = (c: AppContext, page: string): Response =>
  isFormPost(c) ? c.redirect(page, 303) : c.json({ accepted: true } satisfies AcceptedReply, 202);

async function welcome(
  c: AppContext,
  deps: Deps,
  authenticated: Authenticated,
  { page = '/blog', continues }: { page?: string; continues?: SignedIn } = {},
): Promise<Response> {
  if (!(await startSession(c, deps, authenticated, continues))) {
    return continues
      ? signedOut(c)
      : problem(c, 'invalid_credentials', accountMessages.signIn.wrong);
  }
  if (isFormPost(c)) return c.redirect(page, 303);
  return c.json({ user: getUser(deps, authenticated.userId) } satisfies SessionReply);
}
