import { accountMessages } from '@app/contract/accounts/messages';
import { messages } from '@app/contract/messages';
import { unsaved } from '@app/site/blog/unsaved';
import { queueToast, showQueuedToast, showToast } from '../../components/toast-after-redirect.ts';
import { callApi, redirectSignedOut } from '../../http/call-api.ts';
import { recallAccount } from './remembered-account.ts';

/** Sends unsaved text on this device to the server first. If that fails, asks the user. */
export const signOut = async (): Promise<void> => {
  const device = await loadDeviceCopies();
  // biome-ignore lint/suspicious/noAlert: a rare question, not worth a dialog on every page
  if (device && !(await device.send()) && !confirm(unsaved.signOut)) return;
  const reply = await callApi('POST', '/api/auth/sign-out');
  if (!reply.ok) {
    const description = reply.problem?.detail ?? messages.forms.unreachable;
    showToast({ tone: 'danger', title: accountMessages.signOut.failed, description });
    return;
  }
  await device?.forget();
  // After a redirect, the next page shows it.
  queueToast({ title: accountMessages.signOut.done });
  if (!redirectSignedOut()) showQueuedToast();
};

export const forgetDeviceCopies = async (): Promise<void> => (await loadDeviceCopies())?.forget();

/**
 * Unsaved text of the remembered account. Null if the script cannot be loaded; the request to sign
 * out then fails, too.
 */
const loadDeviceCopies = async () => {
  const account = recallAccount()?.id;
  if (account === undefined) return null;
  try {
    const copies = await import('../../unsaved/leave-device.ts');
    return {
      // The browser's storage can fail.
      send: () => copies.sendDeviceCopies(account).catch(() => false),
      forget: () => copies.forgetDeviceCopies(account),
    };
  } catch {
    return null;
  }
};
