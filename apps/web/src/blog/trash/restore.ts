import { blogMessages } from '@app/contract/blog/messages';
import type { PostRestored } from '@app/contract/blog/posts';
import { showToast } from '../../components/toast-after-redirect.ts';
import { callApi } from '../../http/call-api.ts';
import { showFailure } from '../post-controls.ts';
import { publishReportOf } from '../publish-report.ts';

/** Undo in a toast restores without leaving the page. */
export const enhanceUndo = (onRestored: () => void): void => {
  const { restored, renamed, restoreFailed } = blogMessages.trash;
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('.toast form')) return;
    event.preventDefault();
    for (const button of form.querySelectorAll('button')) button.disabled = true;
    const reply = await callApi<PostRestored>('POST', new URL(form.action).pathname);
    if (!reply.ok) {
      showFailure(restoreFailed, reply.problem);
      return;
    }
    const { post, publishing, formerSlug } = reply.value;
    showToast({
      title: restored,
      ...(formerSlug !== undefined && { description: renamed(`/blog/${post.slug}`) }),
      ...publishReportOf(post, publishing),
    });
    onRestored();
  });
};
