import { second } from '@app/contract/durations';

/**
 * Calls back after a message was shown for some time. Counts only seconds in which the page runs
 * and is visible, so that no message disappears unread behind another tab or on a machine that
 * stalls (WCAG 2.2.1). Starts over while the pointer or the focus is on the message.
 * @returns a function that cancels the callback
 */
export const afterTimeShown = (
  message: { matches: (selectors: string) => boolean },
  milliseconds: number,
  done: () => void,
): (() => void) => {
  let left = milliseconds;
  const timer = setInterval(() => {
    if (document.hidden) return;
    left = message.matches(':hover, :focus-within') ? milliseconds : left - second;
    if (left > 0) return;
    clearInterval(timer);
    done();
  }, second);
  return () => clearInterval(timer);
};
