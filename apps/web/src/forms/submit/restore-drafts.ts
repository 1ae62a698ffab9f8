import { readDraft } from './draft.ts';

/**
 * Restores drafts without waiting for React. A form whose submission is still pending is hydrated
 * by a focus event, and resumes.
 */
export const restoreDrafts = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('main form[method="post"]')) {
    const { entries, attempt } = readDraft(form.getAttribute('action') ?? '');
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
