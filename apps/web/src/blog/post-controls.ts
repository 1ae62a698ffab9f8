import { blogMessages } from '@app/contract/blog/messages';
import type { Post, PostDeleted, PostSaved, Publishing } from '@app/contract/blog/posts';
import { messages } from '@app/contract/messages';
import type { Problem } from '@app/contract/problems';
import { localTimeText } from '../components/dates.ts';
import { showToast, type ToastText } from '../components/toast-after-redirect.ts';
import { callApi } from '../http/call-api.ts';
import { elementOf } from './element-of.ts';
import { changeOf, publishReportOf } from './publish-report.ts';
import { explainSignedOut } from './signed-out.ts';
import { whileBusy } from './while-busy.ts';

type Status = Pick<Post, 'published' | 'scheduledAt'>;

interface Effects {
  onChanged: (post: Status) => void;
  onDeleted: (publishing: Publishing) => void;
}

/** Fills in a copy of the controls template. */
export const setPost = (
  controls: HTMLElement,
  { id, slug, title, ...status }: Pick<Post, 'id' | 'slug' | 'title'> & Status,
): void => {
  elementOf<HTMLAnchorElement>(controls, 'a').href = `/blog/editor/${slug}`;
  controls.dataset['post'] = id;
  elementOf(controls, '[data-reason]').id = `reason-${id}`;
  const dialog = elementOf(controls, 'dialog');
  dialog.id = `delete-${id}`;
  elementOf(dialog, '[data-title]').textContent = title;
  const heading = elementOf(dialog, 'h2');
  heading.id = `${dialog.id}-heading`;
  dialog.setAttribute('aria-labelledby', heading.id);
  for (const button of controls.querySelectorAll('[popovertarget]')) {
    button.setAttribute('popovertarget', dialog.id);
  }
  setStatus(controls, status);
};

const setStatus = (controls: HTMLElement, { published, scheduledAt }: Status): void => {
  elementOf(controls, '[data-unschedule]').hidden = scheduledAt === null;
  const toggle = elementOf(controls, '[data-toggle]');
  toggle.dataset['toggle'] = published ? 'published' : 'draft';
  toggle.textContent = published ? blogMessages.unpublish : blogMessages.publish;
};

/** Shows the status of a draft, with the scheduled time in the browser's time zone. */
export const showStatus = (status: HTMLElement, { published, scheduledAt }: Status): void => {
  status.hidden = published;
  elementOf(status, '.scheduled').textContent =
    scheduledAt === null ? '' : blogMessages.schedule.scheduledFor(localTimeText(scheduledAt));
};

/** Makes the buttons work. */
export const enhancePostControls = (
  controls: HTMLElement,
  { onChanged, onDeleted }: Effects,
): void => {
  const dialog = elementOf(controls, 'dialog');
  const toggle = elementOf(controls, '[data-toggle]');
  const path = `/api/posts/${controls.dataset['post']}`;

  const change = async (body: Partial<Status>): Promise<void> => {
    const reply = await whileBusy(controls, () => callApi<PostSaved>('PATCH', path, body));
    if (!reply.ok) {
      showFailure(blogMessages.updateFailed, reply.problem);
      return;
    }
    const { post, publishing } = reply.value;
    setStatus(controls, post);
    onChanged(post);
    const { published, unpublished, schedule } = blogMessages;
    const ofDraft = 'scheduledAt' in body ? schedule.unscheduled : unpublished;
    const ofPost = publishing.state === 'pending' ? { title: published.title } : published;
    const text = post.published ? ofPost : ofDraft;
    showToast({ ...text, ...publishReportOf(post, publishing) });
  };

  toggle.addEventListener('click', () => {
    void change({ published: toggle.dataset['toggle'] === 'draft' });
  });

  elementOf(controls, '[data-unschedule]').addEventListener('click', () => {
    void change({ scheduledAt: null });
  });

  elementOf(controls, '[data-delete]').addEventListener('click', async () => {
    dialog.hidePopover();
    const reply = await whileBusy(controls, () => callApi<PostDeleted>('DELETE', path));
    if (reply.ok) onDeleted(reply.value.publishing);
    else showFailure(blogMessages.deleteFailed, reply.problem);
  });

  for (const button of controls.querySelectorAll('button')) button.disabled = false;
};

export const deletedToast = (id: string, publishing: Publishing): ToastText => {
  const { trash, deleted } = blogMessages;
  return { title: deleted, ...changeOf(publishing), button: { label: trash.undo, undo: id } };
};

/** Shows a toast. @param description what failed */
export const showFailure = (description: string, problem: Problem | null): void => {
  if (problem?.code === 'not_signed_in') explainSignedOut();
  else {
    const detail = problem?.detail ?? messages.forms.unreachable;
    const { link: label } = blogMessages.nameRequired;
    showToast({
      ...{ tone: 'danger', title: blogMessages.error, description, detail },
      ...(problem?.code === 'name_required' && { link: { href: '/profile', label } }),
    });
  }
};
