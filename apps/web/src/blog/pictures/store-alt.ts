import { blogMessages } from '@app/contract/blog/messages';
import type { PictureChange } from '@app/contract/blog/picture-inputs';
import type { Picture } from '@app/contract/blog/picture-replies';
import { showToast } from '../../components/toast-after-redirect.ts';
import { callApi } from '../../http/call-api.ts';

/** Stores a description for later uses of the picture. Null, with a toast, if that failed. */
export const storeAlt = async (picture: Picture, alt: string): Promise<Picture | null> => {
  if (alt === picture.alt) return picture;
  const change: PictureChange = { alt };
  const reply = await callApi<Picture>('PATCH', `/api/posts/pictures/${picture.id}`, change);
  if (reply.ok) return reply.value;
  const { altFailed: title } = blogMessages.pictures;
  const detail = reply.problem?.issues?.[0]?.message ?? reply.problem?.detail;
  showToast({ tone: 'danger', title, ...(detail !== undefined && { description: detail }) });
  return null;
};
