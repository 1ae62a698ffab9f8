import { signInPath } from '@app/contract/accounts/return-path';
import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import { deleteCookie, getCookie } from 'hono/cookie';
import type { AppContext } from './context.ts';

/** Redirects to the sign-in page, which returns to `page`. Tells users if their session ended. */
export const redirectToSignIn = (c: AppContext, page: string): Response =>
  c.redirect(`${signInPath(page)}${endSignedIn(c) ? '#signed-out' : ''}`, 303);

/**
 * Deletes the cookie that would make the sign-in page treat users as signed in although their
 * session has ended.
 * @returns whether there was one
 */
export function endSignedIn(c: AppContext): boolean {
  const wasSignedIn = getCookie(c, signedInCookie) !== undefined;
  if (wasSignedIn) deleteCookie(c, signedInCookie, { path: '/' });
  return wasSignedIn;
}
