import { blogMessages } from '@app/contract/blog/messages';
import type { PostErased, PostRestored } from '@app/contract/blog/posts';
import { trash } from '@app/site/blog/trash';
import { queueToast } from '../../components/toast-after-redirect.ts';
import { callApi } from '../../http/call-api.ts';
import { showFailure } from '../post-controls.ts';
import { publishReportOf } from '../publish-report.ts';
import { whileBusy } from '../while-busy.ts';

/** Restores and erases posts. The reloaded page has the rest of the list. */
export const enhanceTrash = (): void => {
  const list = document.querySelector<HTMLElement>('#trash');
  if (!list) return;

  list.addEventListener('click', ({ target }) => {
    const { restore: restored, erase: erased } = (target as HTMLElement).dataset;
    if (restored !== undefined) void whileBusy(list, () => restore(restored));
    if (erased !== undefined) {
      (target as HTMLElement).closest('dialog')?.hidePopover();
      void whileBusy(list, () => erase(erased));
    }
  });

  for (const button of list.querySelectorAll('button')) button.disabled = false;
};

const restore = async (id: string): Promise<void> => {
  const reply = await callApi<PostRestored>('POST', `/api/posts/${id}/restore`);
  if (!reply.ok) return showFailure(blogMessages.trash.restoreFailed, reply.problem);
  const { post, publishing } = reply.value;
  queueToast({
    title: trash.isBack(post.title),
    description: post.published ? trash.isPublished : trash.isDraft,
    link: { href: `/blog/${post.slug}`, label: trash.open },
    ...publishReportOf(post, publishing),
  });
  location.reload();
};

const erase = async (id: string): Promise<void> => {
  const reply = await callApi<PostErased>('POST', `/api/posts/${id}/delete-forever`);
  if (!reply.ok) return showFailure(trash.eraseFailed, reply.problem);
  queueToast({ title: trash.erased });
  location.reload();
};
