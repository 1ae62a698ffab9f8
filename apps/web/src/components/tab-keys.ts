/**
 * Arrow keys on tabs until TabList.tsx is loaded: open the other tab like a click on its link, whose
 * fragment CSS and then TabList's owners follow.
 */
export const handleTabKeys = (): void => {
  addEventListener('keydown', ({ key, target }) => {
    if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || !(target instanceof Element)) return;
    const tab = target.closest('[data-tabs]:not([data-enhanced]) [role="tab"]');
    const other = tab?.nextElementSibling ?? tab?.previousElementSibling;
    if (!(other instanceof HTMLAnchorElement)) return;
    location.replace(other.hash);
    other.focus();
  });
};
