import { accountMessages } from '@app/contract/accounts/messages';
import { messages } from '@app/contract/messages';
import { callApi, redirectSignedOut } from '../../http/call-api.ts';
import { queueToast, showQueuedToast } from '../sign-in/toast-after-redirect.ts';

/** Signs out, in all tabs of this browser. Pages that are of no use to visitors are left. */
export const signOut = async (): Promise<void> => {
  const reply = await callApi('POST', '/api/auth/sign-out');
  if (reply.ok) {
    queueToast({ title: accountMessages.signOut.done });
    // From here the head shows the face for visitors, or goes where they belong.
    redirectSignedOut();
    // What is left to say is said there.
    if (document.documentElement.dataset['signedOutTo']) return;
  } else {
    const description = reply.problem?.detail ?? messages.forms.unreachable;
    queueToast({ tone: 'alarm', title: accountMessages.signOut.failed, description });
  }
  showQueuedToast();
};
