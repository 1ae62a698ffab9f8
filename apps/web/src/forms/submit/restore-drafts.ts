import type { Draft, draftPrefix } from './draft.ts';

// Types alone: a script that shares code with the island would be a file of its own, and not part of the page.
const prefix: typeof draftPrefix = 'draft:';

/**
 * Puts drafts back as soon as the page is there, without React. A form whose page went away
 * before there was an answer is woken up, as if somebody reached for it, and goes on.
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

/** Only where nothing is: the browser may have put it back by itself, or somebody has typed already. */
const restoreField = (field: Element | RadioNodeList | null, value: string): void => {
  if (field instanceof HTMLSelectElement) {
    if (field.selectedIndex === 0) field.value = value;
  } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    field.value ||= value;
  }
};
