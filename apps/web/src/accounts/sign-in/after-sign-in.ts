import { findReturnPath } from '@app/contract/accounts/return-path';
import type { SessionReply } from '@app/contract/accounts/sign-in';
import { queueToast } from '../../components/toast-after-redirect.ts';
import { rememberAccount } from '../menu/remembered-account.ts';

/** How long a slow avatar can delay the redirect, in milliseconds. */
const maxWait = 1_000;

/**
 * Redirects to the page that required the sign-in, or to the blog. Never resolves, so that the form
 * stays busy.
 */
export const finishSignIn = async (
  { user }: SessionReply,
  text: { title: string; description: string },
): Promise<never> => {
  // Prevents a second redirect by head/head-script.ts.
  delete document.documentElement.dataset['signedInTo'];
  // Queued on pagehide, because this page would otherwise show the toast.
  addEventListener('pagehide', () => queueToast(text));
  if (user) {
    const timeout = new Promise((resolve) => setTimeout(resolve, maxWait));
    await Promise.race([rememberAccount(user), timeout]);
  }
  location.replace(findReturnPath(location.search) ?? '/blog');
  return new Promise(() => undefined);
};
