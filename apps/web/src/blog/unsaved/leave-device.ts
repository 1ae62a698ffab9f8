import type { DraftStored } from '@app/contract/blog/draft-replies';
import { callApi } from '../../http/call-api.ts';
import { copiesOf, removeCopiesOf, removeCopy } from './device-copies.ts';
import { openEditors } from './open-editors.ts';

/** Sends what only this device has. @returns whether the server has all text of the account */
export const sendDeviceCopies = async (account: string): Promise<boolean> => {
  for (const editor of openEditors) await editor.flush();
  for (const copy of await copiesOf(account)) {
    const { draft, baseVersion, previous, fields } = copy;
    const body = { ...fields, account, previous, ...(baseVersion !== null && { baseVersion }) };
    const reply = await callApi<DraftStored>('PUT', `/api/posts/drafts/${draft}`, body);
    if (reply.ok) await removeCopy(copy);
  }
  const isAllSent = [...openEditors].every((editor) => !editor.isUnsent());
  return isAllSent && (await copiesOf(account)).length === 0;
};

/** The user leaves this device: the next one must not find their text. */
export const forgetDeviceCopies = async (account: string): Promise<void> => {
  for (const editor of openEditors) await editor.finish();
  await removeCopiesOf(account).catch(() => undefined);
};
