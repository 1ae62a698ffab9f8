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
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('.toast form')) return;
    event.preventDefault();
    const reply = await whileBusy(form, async () => {
      const restoring = await callApi<PostRestored>('POST', new URL(form.action).pathname);
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
