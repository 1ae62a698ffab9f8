import { readDraft, writeDraft } from './draft.ts';

/**
 * Restores drafts without waiting for React. A form whose submission is still pending is hydrated
 * by a focus event, and resumes.
 */
export const restoreDrafts = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('main form[method="post"]')) {
    const action = form.getAttribute('action') ?? '';
    const { entries, attempt } = readDraft(action);
    // Posted natively and not edited since: the API redirects here once it is stored.
    if (location.hash === '#sent' && attempt?.key === '' && !attempt.isPending) {
      writeDraft(action, { entries: {} });
      continue;
    }
    for (const [name, value] of Object.entries(entries))
      restoreField(form.elements.namedItem(name), value);
    if (attempt?.isPending) form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  }
};

/** Only empty fields: the browser may have restored them, or the visitor typed already. */
const restoreField = (field: Element | RadioNodeList | null, value: string): void => {
  if (field instanceof HTMLSelectElement) {
    if (field.selectedIndex === 0) field.value = value;
  } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    field.value ||= value;
  }
};
