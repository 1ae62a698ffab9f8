import { askWhoIsSignedIn } from '../account-menu/ask-who-is-signed-in.ts';
import { showToast } from '../accounts/carried-toast.ts';
import { signedOutNotice } from '../accounts/signed-out.ts';

/** Says why a writer's controls are gone, with the way back to them. */
export const explainSignedOut = (): void => showToast(signedOutNotice());

/** For a page that showed the controls because of a cookie that outlived its session. */
export const explainWhenSignedOut = async (): Promise<void> => {
  if (!document.documentElement.classList.contains('signed-in')) return;
  const reply = await askWhoIsSignedIn();
  if (reply.ok && !reply.value.user) explainSignedOut();
};
