import type { Post, Publishing } from '@app/contract/blog/posts';
import { receipt } from '@app/site/blog/receipt';
import type { ToastText } from '../components/toast-after-redirect.ts';

/** What a save changed for readers. What is pending is followed until it is done. */
export const receiptOf = (
  { id, published }: Pick<Post, 'id' | 'published'>,
  publishing: Publishing,
): Pick<ToastText, 'tone' | 'detail' | 'follow'> => {
  if (publishing.state === 'draft') return {};
  const then = published ? receipt.nowLive : receipt.nowRemoved;
  const pending = {
    tone: 'warning',
    follow: { path: `/api/posts/${id}/publishing`, then },
  } as const;
  if (publishing.state === 'pending') {
    return { ...pending, detail: receipt.pending(publishing.reason) };
  }
  const detail = receipt[publishing.state](publishing);
  const [first] = publishing.pending ?? [];
  if (!first) return { detail };
  return {
    ...pending,
    detail: `${detail} ${receipt.listsPending(`${first.path} ${first.reason}`)}`,
  };
};
