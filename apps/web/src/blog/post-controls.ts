import type { Post, PostDeleted, PostSaved } from '@app/contract/blog/posts';
import { messages } from '@app/contract/messages';
import type { Problem } from '@app/contract/problems';
import { showToast } from '../components/toast-after-redirect.ts';
import { callApi } from '../http/call-api.ts';
import { elementOf } from './element-of.ts';
import { pendingNote } from './pending-note.ts';
import { explainSignedOut } from './signed-out.ts';

interface Effects {
  onToggled: (published: boolean) => void;
  onDeleted: () => void;
}

export const setPost = (
  controls: HTMLElement,
  { id, slug, published }: Pick<Post, 'id' | 'slug' | 'published'>,
): void => {
  elementOf<HTMLAnchorElement>(controls, 'a').href = `/blog/editor/${slug}`;
  elementOf<HTMLFormElement>(controls, '[data-toggle]').action = `/api/posts/${id}`;
  elementOf<HTMLFormElement>(controls, '[data-delete]').action = `/api/posts/${id}/delete`;
  const dialog = elementOf(controls, 'dialog');
  dialog.id = `delete-${id}`;
  const heading = elementOf(dialog, 'h2');
  heading.id = `${dialog.id}-heading`;
  dialog.setAttribute('aria-labelledby', heading.id);
  for (const button of controls.querySelectorAll('[popovertarget]')) {
    button.setAttribute('popovertarget', dialog.id);
  }
  setPublished(controls, published);
};

const setPublished = (controls: HTMLElement, published: boolean): void => {
  const toggle = elementOf(controls, '[data-toggle]');
  elementOf<HTMLInputElement>(toggle, '[name="published"]').value = String(!published);
  elementOf(toggle, 'button').textContent = published
    ? messages.blog.unpublish
    : messages.blog.publish;
};

export const enhancePostControls = (
  controls: HTMLElement,
  { onToggled, onDeleted }: Effects,
): void => {
  const dialog = elementOf(controls, 'dialog');
  const toggle = elementOf<HTMLFormElement>(controls, '[data-toggle]');
  const remove = elementOf<HTMLFormElement>(controls, '[data-delete]');
  const path = () => new URL(toggle.action).pathname;

  toggle.addEventListener('submit', async (event) => {
    event.preventDefault();
    const published = elementOf<HTMLInputElement>(toggle, '[name="published"]').value === 'true';
    const reply = await whileBusy(controls, () =>
      callApi<PostSaved>('PATCH', path(), { published }),
    );
    if (!reply.ok) {
      showFailure(messages.blog.updateFailed, reply.problem);
      return;
    }
    const { post, publishing } = reply.value;
    setPublished(controls, post.published);
    onToggled(post.published);
    const text = post.published ? messages.blog.published : messages.blog.unpublished;
    const pending = pendingNote(publishing);
    showToast(pending ? { tone: 'warning', ...text, detail: pending } : text);
  });

  remove.addEventListener('submit', async (event) => {
    event.preventDefault();
    dialog.hidePopover();
    const reply = await whileBusy(controls, () => callApi<PostDeleted>('DELETE', path()));
    if (reply.ok) onDeleted();
    else showFailure(messages.blog.deleteFailed, reply.problem);
  });
};

const whileBusy = async <Result>(
  controls: HTMLElement,
  work: () => Promise<Result>,
): Promise<Result> => {
  const focused = document.activeElement;
  const buttons = controls.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  controls.ariaBusy = 'true';
  const result = await work();
  controls.ariaBusy = null;
  for (const button of buttons) button.disabled = false;
  if (focused instanceof HTMLElement && controls.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
  return result;
};

const showFailure = (description: string, problem: Problem | null): void => {
  if (problem?.code === 'not_signed_in') explainSignedOut();
  else {
    const detail = problem?.detail ?? messages.forms.unreachable;
    showToast({ tone: 'danger', title: messages.blog.error, description, detail });
  }
};
