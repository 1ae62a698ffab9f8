import { labels } from '@app/site/forms/labels';
import { afterTimeShown } from './after-time-shown.ts';

/** In milliseconds. */
const duration = 10_000;

interface Floating {
  /** Called when its time is over or another toast replaces it. */
  onEnd: () => void;
  onDismiss: () => void;
  /** Stays until it is dismissed or replaced. */
  stays?: boolean;
}

/** Ends the current toast, because only one floats at a time. */
let endLast: (() => void) | undefined;

/**
 * Shows an element of the page above all others, with a button that dismisses it. Afterwards, the
 * element returns to its place in the page.
 * @returns a function that ends it early, for an element that is removed
 */
export const floatToast = (
  toast: HTMLElement,
  { onEnd, onDismiss, stays = false }: Floating,
): (() => void) => {
  const dismiss = document.createElement('button');
  dismiss.className = 'toast-dismiss';
  dismiss.type = 'button';
  dismiss.ariaLabel = labels.dismiss;
  dismiss.innerHTML =
    '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="m3 3 10 10M13 3 3 13"/></svg>';

  const stop = () => {
    stopTimer?.();
    dismiss.remove();
    toast.popover = null;
    if (endLast === end) endLast = undefined;
  };
  const end = () => {
    stop();
    onEnd();
  };
  const stopTimer = stays ? undefined : afterTimeShown(toast, duration, end);
  dismiss.addEventListener('click', () => {
    stop();
    onDismiss();
  });

  endLast?.();
  endLast = end;
  toast.append(dismiss);
  toast.popover = 'manual';
  toast.showPopover?.();
  return stop;
};
