import { readDraft, writeDraft } from './draft.ts';

/**
 * Restores drafts without waiting for React. A focus event hydrates a form whose submission is
 * still pending, which then resumes.
 */
export const restoreDrafts = (): void => {
  const isStored = isSent();
  for (const form of document.querySelectorAll<HTMLFormElement>('main form[method="post"]')) {
    const action = form.getAttribute('action') ?? '';
    const { entries, attempt } = readDraft(action);
    if (isStored) {
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

/**
 * Whether the API redirected here after it stored a form that was posted natively. Not after a
 * reload or Back: by then, the visitor may have typed something else.
 */
const isSent = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return location.hash === '#sent' && entry?.type === 'navigate';
};
