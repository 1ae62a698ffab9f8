import type { Draft, draftPrefix } from './draft.ts';

// Types only: code shared with the island would move into a separate file instead of the page.
const prefix: typeof draftPrefix = 'draft:';

/**
 * Restores drafts without waiting for React. A form whose submission is still pending is hydrated
 * by a focus event, and resumes.
 */
export const restoreDrafts = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('main form[method="post"]')) {
    const { entries, attempt } = readDraft(prefix + form.getAttribute('action'));
    for (const [name, value] of Object.entries(entries))
      restoreField(form.elements.namedItem(name), value);
    if (attempt?.isPending) form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  }
};

const readDraft = (name: string): Pick<Draft, 'entries' | 'attempt'> => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as Draft;
  } catch {
    return { entries: {} };
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
