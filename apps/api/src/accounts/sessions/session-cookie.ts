import { accountMessages } from '@app/contract/accounts/messages';
import { getCookie } from 'hono/cookie';
import type { AppContext } from '../../server/context.ts';
import { privateCookie } from '../../server/private-cookie.ts';
import { problem } from '../../server/problem.ts';
import type { Deps } from './deps.ts';
import { deviceName } from './device-name.ts';
import type { Authenticated, SignedIn } from './sessions.ts';
import { deviceLifetime } from './trusted-devices.ts';

export const sessionIdOf = (c: AppContext, { sessions }: Deps): string | undefined =>
  getCookie(c, sessions.cookieName);

/** The signed-in user, or null. Sends the cookies again if the session was just extended. */
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
  problem(c, 'not_signed_in', accountMessages.settings.signInFirst);

/** @returns false if the account, its password or the session to continue has changed or ended */
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
  const { passwordHash } = started;
  deviceCookie(deps).set(
    c,
    deps.trustedDevices.issue({ id: userId, passwordHash }),
    deviceLifetime,
  );
  c.set('startedSession', { userId, session: { id: started.publicId } });
  return true;
}

/** For a deleted account. Unlike a sign-out, it also forgets the device. */
export async function clearCookies(c: AppContext, deps: Deps): Promise<void> {
  setCookies(c, await deps.sessions.end(sessionIdOf(c, deps)));
  deviceCookie(deps).delete(c);
}

export const deviceOf = (c: AppContext, deps: Deps): string | undefined =>
  deviceCookie(deps).get(c);

const deviceCookie = (deps: Deps) => privateCookie('device', deps);

export const recentSignInRequired = (c: AppContext): Response =>
  problem(c, 'sign_in_again', accountMessages.reauthentication.description);
