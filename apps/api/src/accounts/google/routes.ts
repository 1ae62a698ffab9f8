import type { AuthErrorCode } from '@app/contract/accounts/auth-errors';
import { accountMessages } from '@app/contract/accounts/messages';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { minute } from '@app/contract/durations';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppContext, AppEnv } from '../../server/context.ts';
import {
  describeEndpoint,
  describeMiddleware,
  queryParameters,
} from '../../server/describe-endpoint.ts';
import { privateCookie } from '../../server/private-cookie.ts';
import { problem } from '../../server/problem.ts';
import { countClientRequest, tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import { redirectToSignIn } from '../../server/redirect-to-sign-in.ts';
import { findUser, notSignedIn, startSession } from '../sessions/session-cookie.ts';
import type { Deps } from './deps.ts';
import { attemptLifetime, newAttempt, storeAttempt, takeAttempt } from './oauth-attempts.ts';
import { completePendingLink, createPendingLink, linkLifetime } from './pending-links.ts';
import { createGoogle, type Person } from './provider.ts';
import { isLinkedTo, signInWithGoogle } from './sign-in.ts';

interface GoogleEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { google: ReturnType<typeof createGoogle> };
}

const attempts: RateLimit = { name: 'google', max: 30, milliseconds: 10 * minute };

export function googleRoutes(deps: Deps) {
  const { publicUrl, google: settings } = deps.settings;
  const google =
    settings && createGoogle(settings, `${publicUrl}/api/auth/google/callback`, deps.clock);
  const stateCookie = privateCookie('google-state', deps);

  const configured = describeMiddleware(
    createMiddleware<GoogleEnv>(async (c, next) => {
      if (!google) {
        return isNavigation(c)
          ? authPage(c, 'google_not_set_up')
          : problem(c, 'not_configured', accountMessages.google.notSetUp);
      }
      c.set('google', google);
      return next();
    }),
    { problems: ['not_configured'] },
  );

  return new Hono<AppEnv>()
    .get(
      '/',
      describeEndpoint({
        summary: 'Start signing in with Google',
        description: 'For browsers. Failures redirect to the sign-in page.',
        parameters: queryParameters({
          again: 'If present, confirms the session of the signed-in user.',
        }),
        replies: {
          302: { description: 'To Google.' },
          303: { description: 'To a page that explains the failure.' },
        },
        problems: ['not_signed_in', 'too_many_requests'],
        session: 'optional',
      }),
      configured,
      async (c) => {
        const isAgain = c.req.query('again') !== undefined;
        const user = isAgain ? await findUser(c, deps) : null;
        if (isAgain && !user)
          return isNavigation(c) ? redirectToSignIn(c, '/profile') : notSignedIn(c);
        const taken = await countClientRequest(c, deps, attempts);
        if (!taken.allowed) {
          return isNavigation(c)
            ? authPage(c, 'too_many_requests')
            : tooManyRequests(c, taken.retryAfterSeconds, accountMessages.limits.accounts);
        }

        const attempt = newAttempt();
        const url = await answerOf(c, deps, c.var.google.authorizationUrl(attempt, isAgain));
        if (url === null) return sendBack(c, deps, 'google_failed');
        await storeAttempt(deps, attempt, user?.userId ?? null);
        stateCookie.set(c, attempt.state, attemptLifetime / 1_000);
        return c.redirect(url, 302);
      },
    )
    .get(
      '/callback',
      describeEndpoint({
        summary: 'Finish signing in with Google',
        parameters: queryParameters({
          state: 'The state of the authorization request (RFC 6749).',
          code: 'The authorization code.',
          error: 'Why Google returned no code.',
        }),
        replies: {
          303: { description: 'To the blog, the profile, or a page that explains the failure.' },
        },
        session: 'optional',
      }),
      configured,
      async (c) => {
        const { state, code, error } = c.req.query();
        // Only the browser that started the attempt has its state (RFC 6749 §10.12).
        const isOwn = state !== undefined && state === stateCookie.get(c);
        const attempt = isOwn ? await takeAttempt(deps, state) : null;
        if (!attempt) return sendBack(c, deps, 'google_expired');
        stateCookie.delete(c);
        if (error === 'access_denied') return sendBack(c, deps, 'google_canceled');

        const again = attempt.userId === null ? null : attempt.startedAt;
        const person = await answerOf(
          c,
          deps,
          c.var.google.identify({ code, error }, attempt, again),
        );
        if (person === null) return sendBack(c, deps, 'google_failed');
        return attempt.userId === null
          ? signIn(c, deps, person)
          : signInAgain(c, deps, person, attempt.userId);
      },
    );
}

async function signIn(c: AppContext, deps: Deps, person: Person): Promise<Response> {
  const result = await signInWithGoogle(deps, person);
  if ('refused' in result) return sendBack(c, deps, result.refused);
  if ('linkTo' in result) {
    const token = await createPendingLink(deps, person, result.linkTo);
    linkCookie(deps).set(c, token, linkLifetime / 1_000);
    return c.redirect('/auth?link=google#google-link', 303);
  }
  // The account may have just been deleted.
  if (!(await startSession(c, deps, result))) return sendBack(c, deps, 'google_failed');
  return c.redirect('/blog', 303);
}

/** Requires the Google account that is linked to the user. */
async function signInAgain(
  c: AppContext,
  deps: Deps,
  person: Person,
  userId: string,
): Promise<Response> {
  if (!isLinkedTo(deps, person, userId) || !(await startSession(c, deps, { userId }))) {
    return sendBack(c, deps, 'google_other_account');
  }
  return c.redirect('/profile#settings', 303);
}

/**
 * Runs after a sign-in with the password, which proves that the user from Google owns the account.
 */
export const linkAfterSignIn = (deps: Deps) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await next();
    const started = c.get('startedSession');
    const cookie = linkCookie(deps);
    const token = cookie.get(c);
    if (started === undefined || token === undefined) return;
    if (!(await completePendingLink(deps, token, started))) return;
    cookie.delete(c);
    if (c.res.status === 303) c.header('Location', '/profile#google-linked');
    else {
      const reply = (await c.res.json()) as SessionReply;
      c.res = c.json({ ...reply, linked: 'google' } satisfies SessionReply);
    }
  });

const linkCookie = (deps: Deps) => privateCookie('google-link', deps);

const isNavigation = (c: AppContext): boolean =>
  c.req.header('Accept')?.includes('text/html') === true;

const authPage = (c: AppContext, error: AuthErrorCode): Response =>
  c.redirect(`/auth?error=${error}#google-failed`, 303);

/** Redirects signed-in users to their profile, because /auth redirects them to the blog. */
const sendBack = async (c: AppContext, deps: Deps, error: AuthErrorCode): Promise<Response> =>
  (await findUser(c, deps)) ? c.redirect('/profile#google-failed', 303) : authPage(c, error);

/**
 * Null if the provider fails. Logs only reasons, because some errors contain tokens of the user.
 */
async function answerOf<T>(c: AppContext, { log }: Deps, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    const { name, message, cause } = error instanceof Error ? error : new Error(String(error));
    const reasons = [`${name}: ${message}`, ...(cause instanceof Error ? [cause.message] : [])];
    log.warn({ reasons, requestId: c.get('requestId') }, 'Google sign-in failed');
    return null;
  }
}
