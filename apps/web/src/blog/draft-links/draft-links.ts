import type { DraftLinkCreated, DraftLinkRevoked } from '@app/contract/blog/draft-link-replies';
import { blogMessages } from '@app/contract/blog/messages';
import { showToast } from '../../components/toast-after-redirect.ts';
import { callApi } from '../../http/call-api.ts';
import { showLocalTimes } from '../editor/local-times.ts';
import { elementOf } from '../element-of.ts';
import { showFailure } from '../post-controls.ts';
import { whileBusy } from '../while-busy.ts';

const { failed, copied, revoked } = blogMessages.draftLinks;

/** Creates and revokes links without leaving the page, which may have unsaved text. */
export const enhanceDraftLinks = (): void => {
  const section = document.querySelector<HTMLElement>('#share');
  if (!section) return;

  section.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(section, () => create(section, event.target as HTMLFormElement));
  });

  section.addEventListener('click', async ({ target }) => {
    const { revoke: path, copy } = (target as HTMLElement).dataset;
    if (path !== undefined) void whileBusy(section, () => revoke(section, path));
    if (copy === undefined) return;
    const link = linkOf(section);
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      showToast({ title: copied });
    } catch {
      // The link is selected, so it can be copied by hand.
    }
  });

  enable(section);
};

/** The buttons are disabled until their script is there. */
const enable = (section: Element): void => {
  for (const button of section.querySelectorAll('button')) button.disabled = false;
};

const create = async (section: HTMLElement, form: HTMLFormElement): Promise<void> => {
  const fields = new FormData(form);
  const body = { lifetime: fields.get('lifetime'), pinned: fields.get('pinned') === 'true' };
  const reply = await callApi<DraftLinkCreated>('POST', form.dataset['create'] ?? '', body);
  if (!reply.ok) return showFailure(failed, reply.problem);
  await refresh(section);
  const link = linkOf(section);
  link.value = reply.value.url;
  elementOf(section, '[data-new-link]').hidden = false;
  link.focus();
  link.select();
};

const revoke = async (section: HTMLElement, path: string): Promise<void> => {
  const reply = await callApi<DraftLinkRevoked>('DELETE', path);
  if (!reply.ok) showFailure(failed, reply.problem);
  else showToast({ title: revoked });
  await refresh(section);
  section.querySelector<HTMLElement>('select, button:not([data-copy])')?.focus();
};

/**
 * Replaces the section with the server's current version, or leaves it if that cannot be loaded.
 */
const refresh = async (section: HTMLElement): Promise<void> => {
  const html = await fetchPage();
  if (html === null) return;
  const page = new DOMParser().parseFromString(html, 'text/html');
  const fresh = page.querySelector('#share');
  // A published post without links has no section.
  if (!fresh) return section.remove();
  showLocalTimes(fresh);
  enable(fresh);
  section.replaceChildren(...fresh.childNodes);
};

/** Null if the page cannot be loaded. */
const fetchPage = async (): Promise<string | null> => {
  try {
    const response = await fetch(location.pathname);
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
};

const linkOf = (section: HTMLElement): HTMLInputElement =>
  elementOf<HTMLInputElement>(section, '[data-new-link] input');
