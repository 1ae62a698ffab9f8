import { entriesOf, readDraft, writeDraft } from './draft.ts';

/** In milliseconds. */
const retryDelay = 2_000;

/**
 * Replaces use-submission.ts until it is loaded. Saves typed text as a draft. When a form is
 * submitted, waits until the server is reachable. Then the page reloads and sends the draft,
 * natively if the script is still missing.
 */
export const queueFormsUntilHydrated = (): void => {
  let waiting: { timer: number; notice: Element } | undefined;
  let submission = new AbortController();

  const stop = () => {
    submission.abort();
    submission = new AbortController();
    clearInterval(waiting?.timer);
    waiting?.notice.remove();
    waiting = undefined;
  };

  const send = async (form: HTMLFormElement) => {
    const { signal } = submission;
    const wait = () => {
      if (signal.aborted) return;
      waiting ??= {
        timer: window.setInterval(() => void send(form), retryDelay),
        notice: showNotice(form),
      };
    };
    // Also if the reply is slow.
    setTimeout(wait, retryDelay);
    if (!(await isReachable(signal))) {
      wait();
      return;
    }
    stop();
    const action = actionOf(form);
    const draft = readDraft(action);
    const isPending = !draft.attempt?.isPending;
    const attempt = { key: '', content: '', formToken: undefined, isPending };
    if (writeDraft(action, { ...draft, attempt }) && isPending) location.reload();
    else form.submit();
  };

  addEventListener('input', ({ target }) => {
    const form = formOf((target as Partial<HTMLInputElement>).form);
    if (!form) return;
    stop();
    const action = actionOf(form);
    writeDraft(action, { ...readDraft(action), entries: entriesOf(form), attempt: undefined });
  });
  addEventListener('submit', (event) => {
    const form = formOf(event.target);
    if (!form || event.defaultPrevented) return;
    event.preventDefault();
    void send(form);
  });
};

/** Returns the target if it is a form that is not hydrated. */
const formOf = (target: unknown): HTMLFormElement | null =>
  target instanceof HTMLFormElement && target.matches('main form[method="post"]:not([novalidate])')
    ? target
    : null;

const isReachable = async (signal: AbortSignal): Promise<boolean> => {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
};

const showNotice = (form: HTMLFormElement): HTMLElement => {
  const notice = document.createElement('div');
  notice.className = 'notice notice-warning';
  notice.role = 'status';
  const text = document.querySelector<HTMLTemplateElement>('#form-waits');
  if (text) notice.append(text.content.cloneNode(true));
  form.querySelector('[data-outcome]')?.append(notice);
  notice.scrollIntoView({ block: 'nearest' });
  return notice;
};

const actionOf = (form: HTMLFormElement): string => form.getAttribute('action') ?? '';
