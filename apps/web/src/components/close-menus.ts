/**
 * What the header's menus cannot do by themselves: the Services dropdown closes on
 * Escape and when the pointer or the focus goes elsewhere; the phone's menu closes when
 * the focus leaves it, as it would lie over what has the focus now (WCAG 2.4.11), and
 * when a link in it leads to a place on the same page.
 */
export const closeMenus = (): void => {
  const dropdown = document.querySelector<HTMLDetailsElement>('.services');
  const menu = document.querySelector<HTMLElement>('#site-menu');
  if (!dropdown || !menu) return;

  const isDropdown = (): boolean => matchMedia('(width >= 64rem)').matches;
  const closeMenu = () => {
    if (menu.matches(':popover-open')) menu.hidePopover();
  };
  const onElsewhere = ({ type, target }: Event) => {
    if (!(target instanceof Element)) return;
    if (isDropdown() && !dropdown.contains(target)) dropdown.open = false;
    // Its own button opens and closes it, and the browser closes it on a tap beside it.
    const isOutside = !menu.contains(target) && !target.closest('[popovertarget]');
    if (type === 'focusin' && isOutside) closeMenu();
  };

  addEventListener('pointerdown', onElsewhere);
  addEventListener('focusin', onElsewhere);
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isDropdown() || !dropdown.open) return;
    dropdown.open = false;
    dropdown.querySelector('summary')?.focus();
  });
  menu.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('a')) return;
    if (isDropdown()) dropdown.open = false;
    closeMenu();
  });
};
