import { accountMessages } from '@app/contract/accounts/messages';
import { messages } from '@app/contract/messages';
import { queueToast, showQueuedToast } from '../../components/toast-after-redirect.ts';
import { callApi, redirectSignedOut } from '../../http/call-api.ts';

export const signOut = async (): Promise<void> => {
  const reply = await callApi('POST', '/api/auth/sign-out');
  if (reply.ok) {
    queueToast({ title: accountMessages.signOut.done });
    redirectSignedOut();
    if (document.documentElement.dataset['signedOutTo']) return;
  } else {
    const description = reply.problem?.detail ?? messages.forms.unreachable;
    queueToast({ tone: 'danger', title: accountMessages.signOut.failed, description });
  }
  showQueuedToast();
};
