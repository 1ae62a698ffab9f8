import { readDraft, writeDraft } from './draft.ts';

/**
 * Restores drafts without waiting for React. A focus event hydrates a form whose submission is
 * still pending, which then resumes.
 */
export const restoreDrafts = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('main form[method="post"]')) {
    const action = form.getAttribute('action') ?? '';
    const { entries, attempt } = readDraft(action);
    // The draft was posted natively and not edited since. The API redirected here after storing it.
    if (location.hash === '#sent' && attempt?.key === '' && !attempt.isPending) {
      writeDraft(action, { entries: {} });
      continue;
    }
    for (const [name, value] of Object.entries(entries))
      restoreField(form.elements.namedItem(name), value);
    if (attempt?.isPending) form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  }
};

/** Fills only empty fields: the browser may have restored others, or the visitor already typed. */
const restoreField = (field: Element | RadioNodeList | null, value: string): void => {
  if (field instanceof HTMLSelectElement) {
    if (field.selectedIndex === 0) field.value = value;
  } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    field.value ||= value;
  }
};
