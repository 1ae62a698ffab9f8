import type { Post, Publishing } from '@app/contract/blog/posts';
import { publishReport } from '@app/site/blog/publish-report';
import type { ToastText } from '../components/toast-after-redirect.ts';

/** The part of a toast that reports the effect of a change for readers. */
export const changeOf = (publishing: Publishing): Pick<ToastText, 'tone' | 'detail'> => {
  if (publishing.state === 'draft') return {};
  if (publishing.state === 'pending') {
    return { tone: 'warning', detail: publishReport.pending(publishing.reason) };
  }
  const detail = publishReport[publishing.state](publishing);
  const [first] = publishing.pending ?? [];
  if (!first) return { detail };
  const pending = publishReport.listsPending(`${first.path} ${first.reason}`);
  return { tone: 'warning', detail: `${detail} ${pending}` };
};

/** The same for a stored post, with the endpoint to poll while something is pending. */
export const publishReportOf = (
  { id, published }: Pick<Post, 'id' | 'published'>,
  publishing: Publishing,
): Pick<ToastText, 'tone' | 'detail' | 'follow'> => {
  const change = changeOf(publishing);
  if (change.tone !== 'warning') return change;
  const then = published ? publishReport.nowLive : publishReport.nowRemoved;
  return { ...change, follow: { path: `/api/posts/${id}/publishing`, then } };
};
