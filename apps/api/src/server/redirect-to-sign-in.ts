import { signInPath } from '@app/contract/accounts/return-path';
import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import { deleteCookie, getCookie } from 'hono/cookie';
import type { AppContext } from './context.ts';

/**
 * Redirects to the sign-in page, which returns to `page`. Tells users if their session ended, and
 * deletes the cookie that would make that page treat them as signed in.
 */
export function redirectToSignIn(c: AppContext, page: string): Response {
  const wasSignedIn = getCookie(c, signedInCookie) !== undefined;
  if (wasSignedIn) deleteCookie(c, signedInCookie, { path: '/' });
  return c.redirect(`${signInPath(page)}${wasSignedIn ? '#signed-out' : ''}`, 303);
}
