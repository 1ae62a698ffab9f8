import type { Draft, DraftStored } from '@app/contract/blog/draft-replies';
import { callApi } from '../http/call-api.ts';
import { copiesOf, type DeviceCopy, removeCopiesOf, removeCopy } from './device-copies.ts';
import { finishesWithin, storageTimeout } from './finishes-within.ts';
import { sameTexts } from './form-texts.ts';
import { openEditors } from './open-editors.ts';

/**
 * Sends the text that only this device has.
 * @returns whether the server has all text of the account
 */
export const sendDeviceCopies = async (account: string): Promise<boolean> => {
  for (const editor of openEditors) await editor.flush();
  for (const copy of (await readCopies(account)) ?? []) {
    if (await send(copy)) await finishesWithin(storageTimeout, removeCopy(copy));
  }
  const isAllSent = [...openEditors].every((editor) => !editor.isUnsent());
  return isAllSent && (await readCopies(account))?.length === 0;
};

/** Null if the browser's storage hangs. */
const readCopies = async (account: string): Promise<DeviceCopy[] | null> => {
  const copies = copiesOf(account);
  return (await finishesWithin(storageTimeout, copies)) ? copies : null;
};

const send = async (copy: DeviceCopy): Promise<boolean> => {
  const { account, draft, baseVersion, previous, fields } = copy;
  const path = `/api/posts/drafts/${draft}`;
  const body = { ...fields, account, previous, ...(baseVersion !== null && { baseVersion }) };
  const reply = await callApi<DraftStored>('PUT', path, body);
  if (reply.ok || reply.problem?.code !== 'draft_changed') return reply.ok;
  // The page may have sent it while it was being closed, without reading the reply.
  const stored = await callApi<Draft>('GET', path);
  return stored.ok && sameTexts(stored.value.fields, fields);
};

/** Removes all text of a user who signs out, so that the device's next user cannot find it. */
export const forgetDeviceCopies = async (account: string): Promise<void> => {
  for (const editor of openEditors) await editor.discard();
  await finishesWithin(storageTimeout, removeCopiesOf(account));
};
