import { findReturnPath } from '@app/contract/accounts/return-path';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { rememberAccount } from '../menu/remembered-account.ts';
import { queueToast } from './toast-after-redirect.ts';

/** How long a slow picture of theirs may keep somebody, in milliseconds. */
const maxWait = 1_000;

/**
 * Somebody is signed in from now on: it goes back to the page that asked for it, or on to the blog,
 * which says so. /auth is no page for
 * them any more, so the way back leads past it.
 * @returns never: the form stays busy until the browser has left
 */
export const finishSignIn = async (
  { user }: SessionReply,
  text: { title: string; description: string },
): Promise<never> => {
  // The head would go there on its own (head/first-paint.ts), and one of the two break off.
  delete document.documentElement.dataset['signedInTo'];
  // At the last moment: this page hears of it too, and would say it before it is left.
  addEventListener('pagehide', () => queueToast(text));
  if (user) {
    const timeout = new Promise((resolve) => setTimeout(resolve, maxWait));
    await Promise.race([rememberAccount(user), timeout]);
  }
  location.replace(findReturnPath(location.search) ?? '/blog');
  return new Promise(() => undefined);
};
