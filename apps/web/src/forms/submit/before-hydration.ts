import type { honeypotField } from '@app/contract/forms/submit';
import type { Draft, draftPrefix } from './draft.ts';

// Types alone, as in restore-drafts.ts.
const prefix: typeof draftPrefix = 'draft:';
const honeypot: typeof honeypotField = 'homepage';

/** How often a server that is away is looked for, in milliseconds. */
const retryDelay = 2_000;

/**
 * Does for the forms of a page what their own script does (use-submission.ts), as long as that could
 * not be loaded: the server went away after the page had come. What is typed is kept as a draft. What
 * is sent waits for the server; then the page is loaded again, and the draft goes out by itself. A
 * form whose script does not come even then is sent as it is without scripts.
 */
export const queueFormsUntilHydrated = (): void => {
  let waiting: { timer: number; notice: Element } | undefined;

  const stop = () => {
    clearInterval(waiting?.timer);
    waiting?.notice.remove();
    waiting = undefined;
  };

  const send = async (form: HTMLFormElement) => {
    if (!(await isReachable())) {
      waiting ??= {
        timer: window.setInterval(() => void send(form), retryDelay),
        notice: showNotice(form),
      };
      return;
    }
    stop();
    const draft = readDraft(form);
    if (draft.attempt?.isPending) {
      form.submit();
      return;
    }
    const attempt = { key: '', content: '', stamp: undefined, isPending: true };
    if (writeDraft(form, { ...draft, attempt })) location.reload();
    else form.submit();
  };

  addEventListener('input', ({ target }) => {
    const form = formOf((target as Partial<HTMLInputElement>).form);
    if (!form) return;
    // What is half typed is not to go out by itself.
    stop();
    writeDraft(form, { ...readDraft(form), entries: entriesOf(form), attempt: undefined });
  });
  addEventListener('submit', (event) => {
    const form = formOf(event.target);
    if (!form || event.defaultPrevented) return;
    event.preventDefault();
    void send(form);
  });
};

/** One of the page's forms whose own script is not there. */
const formOf = (target: unknown): HTMLFormElement | null =>
  target instanceof HTMLFormElement && target.matches('main form[method="post"]:not([novalidate])')
    ? target
    : null;

const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
};

/** Says in the form that it waits; the text is in FormsBeforeHydration.astro. */
const showNotice = (form: HTMLFormElement): HTMLElement => {
  const notice = document.createElement('div');
  notice.className = 'notice notice-amber';
  notice.role = 'status';
  const text = document.querySelector<HTMLTemplateElement>('#form-waits');
  if (text) notice.append(text.content.cloneNode(true));
  form.querySelector('.outcome')?.append(notice);
  notice.scrollIntoView({ block: 'nearest' });
  return notice;
};

const readDraft = (form: HTMLFormElement): Draft => {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(form)) ?? '') as Draft;
  } catch {
    return { entries: {} };
  }
};

/** Whether it is kept: some browsers keep nothing for the site. */
const writeDraft = (form: HTMLFormElement, draft: Draft): boolean => {
  try {
    sessionStorage.setItem(nameOf(form), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
};

const nameOf = (form: HTMLFormElement): string => prefix + form.getAttribute('action');

const entriesOf = (form: HTMLFormElement): Record<string, string> => {
  const fields = new FormData(form);
  fields.delete(honeypot);
  return Object.fromEntries(fields) as Record<string, string>;
};
