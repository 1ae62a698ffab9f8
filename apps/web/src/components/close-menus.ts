/*
 * Closes the header's menus where the browser does not:
 * - the Services dropdown on Escape, and when the pointer or the focus leaves it;
 * - popovers when the focus leaves them, so that they do not cover the focused element (WCAG 2.4.11);
 * - all of them when a link is followed, which can lead to the same page;
 * - the theme menu when a theme is chosen, except with arrow keys.
 * Inlined in the head (head/head-script.ts), so it runs before the header exists.
 */
export {};

const openDropdown = (): HTMLDetailsElement | null =>
  matchMedia('(width >= 64rem)').matches ? document.querySelector('#services-menu[open]') : null;
const closeDropdown = () => openDropdown()?.removeAttribute('open');
const closePopovers = (isLeft: (menu: HTMLElement) => boolean) => {
  for (const menu of document.querySelectorAll<HTMLElement>('body > header :popover-open')) {
    if (isLeft(menu)) menu.hidePopover();
  }
};
const isThemeChoice = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('#theme-menu label') !== null;
const onElsewhere = ({ type, target }: Event) => {
  if (!(target instanceof Element)) return;
  if (!target.closest('#services-menu')) closeDropdown();
  // The browser itself closes a popover on its button and on clicks outside.
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
    // The focus has returned to the menu's button, which Enter would activate.
    event.preventDefault();
  }
  if (key !== 'Escape') return;
  openDropdown()?.querySelector('summary')?.focus();
  closeDropdown();
});
addEventListener('click', ({ target, detail }) => {
  // Clicks caused by arrow keys have a detail of 0.
  if (detail > 0 && isThemeChoice(target)) closePopovers(() => true);
  if (!(target instanceof Element) || !target.closest('body > header a')) return;
  closeDropdown();
  closePopovers(() => true);
});
