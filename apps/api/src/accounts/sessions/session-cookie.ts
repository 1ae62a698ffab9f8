import { accountMessages } from '@app/contract/accounts/messages';
import type { Credentials } from '@app/contract/accounts/sign-in';
import { messages } from '@app/contract/messages';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppContext } from '../../server/context.ts';
import { problem } from '../../server/problem.ts';
import type { Deps } from './deps.ts';
import { deviceName } from './device-name.ts';
import type { Authenticated, SignedIn } from './sessions.ts';
import { signUpCookieLifetime } from './sign-up-cookies.ts';
import { deviceLifetime } from './trusted-devices.ts';

export const sessionIdOf = (c: AppContext, { sessions }: Deps): string | undefined =>
  getCookie(c, sessions.cookieName);

/** The signed-in user, or null. Renews the cookies of a prolonged session. */
export async function findUser(c: AppContext, deps: Deps): Promise<SignedIn | null> {
  const sessionId = sessionIdOf(c, deps);
  if (sessionId === undefined) return null;
  const user = await deps.sessions.find(sessionId);
  if (user) setCookies(c, user.renewed);
  return user;
}

export function setCookies(c: AppContext, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}

export const notSignedIn = (c: AppContext): Response =>
  problem(c, 'not_signed_in', messages.blog.signInToSave);

/** False if the account, its password or the session to continue has changed or ended. */
export async function startSession(
  c: AppContext,
  deps: Deps,
  authenticated: Authenticated,
  continues?: SignedIn,
): Promise<boolean> {
  const started = await deps.sessions.start(authenticated, {
    device: deviceName(c.req.header('User-Agent')),
    previous: sessionIdOf(c, deps),
    continues,
  });
  if (!started) return false;
  setCookies(c, started.cookies);
  const { userId } = authenticated;
  const secure = isHttps(deps);
  setCookie(c, deviceCookie(deps), deps.trustedDevices.issue(userId), {
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'Lax',
    maxAge: deviceLifetime,
  });
  if (getCookie(c, signUpCookie(deps)) !== undefined) {
    deleteCookie(c, signUpCookie(deps), { path: '/', secure });
  }
  c.set('startedSession', { userId, session: { id: started.publicId } });
  return true;
}

/** For a deleted account. */
export async function clearCookies(c: AppContext, deps: Deps): Promise<void> {
  setCookies(c, await deps.sessions.end(sessionIdOf(c, deps)));
  deleteCookie(c, deviceCookie(deps), { path: '/', secure: isHttps(deps) });
}

export const deviceOf = (c: AppContext, deps: Deps): string | undefined =>
  getCookie(c, deviceCookie(deps));

/** See `createSignUpCookies`. */
export function rememberSignUp(c: AppContext, deps: Deps, credentials: Credentials): void {
  setCookie(c, signUpCookie(deps), deps.signUpCookies.issue(credentials), {
    path: '/',
    httpOnly: true,
    secure: isHttps(deps),
    sameSite: 'Lax',
    maxAge: signUpCookieLifetime,
  });
}

export const hasSignedUp = (c: AppContext, deps: Deps, credentials: Credentials): boolean =>
  deps.signUpCookies.recognize(getCookie(c, signUpCookie(deps)), credentials);

const signUpCookie = (deps: Deps): string => (isHttps(deps) ? '__Host-sign-up' : 'sign-up');

const isHttps = ({ settings }: Deps): boolean => settings.publicUrl.startsWith('https:');

const deviceCookie = (deps: Deps): string => (isHttps(deps) ? '__Host-device' : 'device');

export const recentSignInRequired = (c: AppContext): Response =>
  problem(c, 'sign_in_again', accountMessages.reauthentication.description);
