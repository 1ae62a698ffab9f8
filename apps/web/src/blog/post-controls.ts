import type { PostDeleted, PostSaved, Publishing } from '@app/contract/blog';
import { messages } from '@app/contract/messages';
import { callApi } from '../http/call-api.ts';
import { pendingNote } from './pending-note.ts';

/** Publishes, unpublishes and deletes without leaving the page; see PostControls.astro. */
export const enhancePostControls = (controls: HTMLElement): void => {
  const outcome = part(controls, '.outcome');
  const dialog = part(controls, 'dialog');
  const toggle = part<HTMLFormElement>(controls, '[data-toggle]');
  const wanted = part<HTMLInputElement>(toggle, '[name="published"]');
  const remove = part<HTMLFormElement>(controls, '[data-delete]');

  toggle.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = part<HTMLButtonElement>(toggle, 'button');
    button.disabled = true;
    const reply = await callApi<PostSaved>('PATCH', pathOf(toggle), {
      published: wanted.value === 'true',
    });
    button.disabled = false;
    if (!reply.ok) {
      const why = reply.problem?.detail ?? messages.forms.unreachable;
      outcome.replaceChildren(notice('alarm', messages.blog.updateFailed, why));
      return;
    }
    const { post, publishing } = reply.value;
    wanted.value = String(!post.published);
    button.textContent = post.published ? 'Unpublish' : 'Publish';
    outcome.replaceChildren(toggled(post.published, publishing));
  });

  remove.addEventListener('submit', async (event) => {
    event.preventDefault();
    dialog.hidePopover();
    const reply = await callApi<PostDeleted>('DELETE', pathOf(toggle));
    if (reply.ok) {
      location.assign('/blog');
      return;
    }
    const why = reply.problem?.detail ?? messages.forms.unreachable;
    outcome.replaceChildren(notice('alarm', messages.blog.deleteFailed, why));
  });
};

const part = <Part extends HTMLElement = HTMLElement>(within: Element, selector: string): Part => {
  const found = within.querySelector<Part>(selector);
  if (!found) throw new Error(`PostControls.astro has no ${selector}`);
  return found;
};

/** The form of a change goes where the call goes; only the method differs. */
const pathOf = (form: HTMLFormElement): string => new URL(form.action).pathname;

const toggled = (published: boolean, publishing: Publishing): HTMLElement => {
  const { title, description } = published ? messages.blog.published : messages.blog.unpublished;
  const pending = pendingNote(publishing);
  return pending ? notice('amber', title, pending) : notice('good', title, description);
};

const notice = (tone: 'good' | 'amber' | 'alarm', title: string, description: string) => {
  const box = document.createElement('div');
  box.className = tone === 'good' ? 'notice' : `notice notice-${tone}`;
  box.role = tone === 'alarm' ? 'alert' : 'status';
  box.append(paragraph(title, 'font-semibold'), paragraph(description));
  return box;
};

const paragraph = (text: string, className = ''): HTMLElement => {
  const element = document.createElement('p');
  element.className = className;
  element.textContent = text;
  return element;
};
