import { fetchSession } from '../accounts/menu/fetch-session.ts';
import { signedOutNotice } from '../accounts/sign-in/signed-out.ts';
import { showToast } from '../components/toast-after-redirect.ts';
import { isSignedIn } from '../http/call-api.ts';

export const explainSignedOut = (): void => showToast(signedOutNotice());

/** Checks the session, because the readable cookie that shows the controls can outlive it. */
export const explainWhenSignedOut = async (): Promise<void> => {
  if (!isSignedIn()) return;
  const reply = await fetchSession();
  if (reply.ok && !reply.value.user) explainSignedOut();
};
