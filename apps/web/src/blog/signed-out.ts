import { fetchSession } from '../accounts/menu/fetch-session.ts';
import { signedOutNotice } from '../accounts/sign-in/signed-out.ts';
import { showToast } from '../accounts/sign-in/toast-after-redirect.ts';

/** Says why a writer's controls are gone, with the way back to them. */
export const explainSignedOut = (): void => showToast(signedOutNotice());

/** For a page that showed the controls because of a cookie that outlived its session. */
export const explainWhenSignedOut = async (): Promise<void> => {
  if (!document.documentElement.classList.contains('signed-in')) return;
  const reply = await fetchSession();
  if (reply.ok && !reply.value.user) explainSignedOut();
};
