import { blogMessages } from '@app/contract/blog/messages';
import type { Post, PostRestored } from '@app/contract/blog/posts';
import { showToast } from '../../components/toast-after-redirect.ts';
import { callApi } from '../../http/call-api.ts';
import { showFailure } from '../post-controls.ts';
import { publishReportOf } from '../publish-report.ts';
import { whileBusy } from '../while-busy.ts';

/**
 * Makes the undo button of toasts restore a post without leaving the page.
 * @param onRestored shows and focuses the post, because the toast disappears afterwards
 */
export const enhanceUndo = (onRestored: (post: Post) => Promise<void>): void => {
  const { restored, restoreFailed } = blogMessages.trash;
  document.addEventListener('click', async ({ target }) => {
    const line = (target as Element).closest<HTMLElement>('.toast-action');
    const id = (target as HTMLElement).dataset['undo'];
    if (!line || id === undefined) return;
    const reply = await whileBusy(line, async () => {
      const restoring = await callApi<PostRestored>('POST', `/api/posts/${id}/restore`);
      if (restoring.ok) await onRestored(restoring.value.post);
      return restoring;
    });
    if (!reply.ok) {
      showFailure(restoreFailed, reply.problem);
      return;
    }
    const { post, publishing } = reply.value;
    showToast({ title: restored, ...publishReportOf(post, publishing) });
  });
};
