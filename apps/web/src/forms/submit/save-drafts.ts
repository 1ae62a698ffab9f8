import { entriesOf, readDraft, writeDraft } from './draft.ts';
import { restoreDrafts } from './restore-drafts.ts';

/** Restores drafts, and saves typed text as drafts until use-submission.ts is loaded. */
export const saveDrafts = (): void => {
  // Prerendered pages wait until they are shown, because restoring can send a draft, which may have
  // changed since. Reading storage blocks on another process, so it happens after the first frame.
  if (document.prerendering) {
    const restore = () => requestAnimationFrame(() => setTimeout(restoreDrafts));
    document.addEventListener('prerenderingchange', restore, { once: true });
  } else {
    restoreDrafts();
  }

  addEventListener('input', ({ target }) => {
    const { form } = target as Partial<HTMLInputElement>;
    if (!form?.matches('main form[method="post"]:not([data-enhanced])')) return;
    const action = form.getAttribute('action') ?? '';
    writeDraft(action, { ...readDraft(action), entries: entriesOf(form), attempt: undefined });
  });
};
