/** In milliseconds. */
const longest = 200;

/** Runs work between keystrokes. Safari has no idle callbacks. */
export const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: longest });
  else setTimeout(work);
};
