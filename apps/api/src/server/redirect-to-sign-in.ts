import { signInPath } from '@app/contract/accounts/return-path';
import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import { deleteCookie, getCookie } from 'hono/cookie';
import type { AppContext } from './context.ts';

/**
 * Leads a browser to the sign-in page, and from there back to `page`. Whoever comes with what a
 * session left behind is told that it has ended; that cookie goes, or the sign-in page would take
 * them for signed in and lead on to the blog.
 */
export function redirectToSignIn(c: AppContext, page: string): Response {
  const wasSignedIn = getCookie(c, signedInCookie) !== undefined;
  if (wasSignedIn) deleteCookie(c, signedInCookie, { path: '/' });
  return c.redirect(`${signInPath(page)}${wasSignedIn ? '#signed-out' : ''}`, 303);
}
