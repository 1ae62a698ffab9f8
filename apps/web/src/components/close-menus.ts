/**
 * What the header's menus cannot do by themselves: the Services dropdown closes on
 * Escape and when the pointer or the focus goes elsewhere; the popovers, the phone's menu
 * and the theme's, close when the focus leaves them, as they would lie over what has the
 * focus now (WCAG 2.4.11); and all close when a link leads to a place on the same page.
 */
export const closeMenus = (): void => {
  const header = document.querySelector('header');
  const dropdown = document.querySelector<HTMLDetailsElement>('.services');

  // In the phone's menu it is a part of the list, and stays as it was left.
  const isDropdown = (): boolean => matchMedia('(width >= 64rem)').matches;
  const closeDropdown = () => {
    if (dropdown && isDropdown()) dropdown.open = false;
  };
  const closePopovers = (isLeft: (menu: HTMLElement) => boolean) => {
    const open = header?.querySelectorAll<HTMLElement>(':popover-open') ?? [];
    for (const menu of open) if (isLeft(menu)) menu.hidePopover();
  };
  const onElsewhere = ({ type, target }: Event) => {
    if (!(target instanceof Element)) return;
    if (!dropdown?.contains(target)) closeDropdown();
    // Its own button opens and closes it, and the browser closes it on a tap beside it.
    if (type === 'focusin') {
      closePopovers((menu) => !target.closest(`#${menu.id}, [popovertarget=${menu.id}]`));
    }
  };

  addEventListener('pointerdown', onElsewhere);
  addEventListener('focusin', onElsewhere);
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isDropdown() || !dropdown?.open) return;
    closeDropdown();
    dropdown.querySelector('summary')?.focus();
  });
  header?.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('a')) return;
    closeDropdown();
    closePopovers(() => true);
  });
};
