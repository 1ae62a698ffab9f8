/**
 * Call this when the focused element was removed and nothing replaced it. Otherwise the next Tab
 * would start at the top of the page (WCAG 2.2, 2.4.3).
 */
export const focusHeading = (): void => {
  const heading = document.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
};
