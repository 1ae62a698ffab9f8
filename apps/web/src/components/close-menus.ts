/*
 * What the header's menus cannot do by themselves: the Services dropdown closes on
 * Escape and when the pointer or the focus goes elsewhere; the popovers, the phone's menu, the
 * theme's and the account's, close when the focus leaves them, as they would lie over what has
 * the focus now (WCAG 2.4.11); all close when a link leads to a place on the same page, and the
 * theme's when one is chosen: by a press or with Enter, not while the arrow keys go through them.
 *
 * It is part of the script in the head of every page (head/first-paint.ts): one of its own would
 * cost each page an entry in its policy. So the header is only looked for when something happens.
 */
export {};

/** In the phone's menu it is a part of the list, and stays as it was left. */
const openDropdown = (): HTMLDetailsElement | null =>
  matchMedia('(width >= 64rem)').matches ? document.querySelector('.services[open]') : null;
const closeDropdown = () => openDropdown()?.removeAttribute('open');
const closePopovers = (isLeft: (menu: HTMLElement) => boolean) => {
  for (const menu of document.querySelectorAll<HTMLElement>('.site-header :popover-open')) {
    if (isLeft(menu)) menu.hidePopover();
  }
};
const isThemeChoice = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.theme-choice') !== null;
const onElsewhere = ({ type, target }: Event) => {
  if (!(target instanceof Element)) return;
  if (!target.closest('.services')) closeDropdown();
  // Its own button opens and closes it, and the browser closes it on a tap beside it.
  if (type === 'focusin') {
    closePopovers((menu) => !target.closest(`#${menu.id}, [popovertarget=${menu.id}]`));
  }
};

addEventListener('pointerdown', onElsewhere);
addEventListener('focusin', onElsewhere);
addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key === 'Enter' && isThemeChoice(target)) {
    closePopovers(() => true);
    // The focus is back at the menu's button, which this would press.
    event.preventDefault();
  }
  if (key !== 'Escape') return;
  openDropdown()?.querySelector('summary')?.focus();
  closeDropdown();
});
addEventListener('click', ({ target, detail }) => {
  // The clicks that arrow keys make count no presses.
  if (detail > 0 && isThemeChoice(target)) closePopovers(() => true);
  if (!(target instanceof Element) || !target.closest('.site-header a')) return;
  closeDropdown();
  closePopovers(() => true);
});
