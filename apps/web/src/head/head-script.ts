/*
 * Inlined into the head of every page (see head/inline-script.ts in apps/web), so that nothing is
 * painted that is wrong a moment later:
 *
 * - Theme: `light` or `dark` as a class on the root, from the storage key `theme`, the system while
 *   the choice is `system`, and the radio buttons of theme/ThemeMenu.astro.
 * - Account: `signed-in` as a class on the root when the readable cookie says so, and the picture in
 *   the header from what accounts/menu/remembered-account.ts stored. A page redirects with
 *   `data-signed-in-to` and `data-signed-out-to`; /auth goes back to the page that its query names.
 *   `<template data-signed-in>` is expanded for signed-in visitors, and for a toast from the page before.
 * - Links in the page's `noscript` are for later: they are followed after the first paint.
 *
 * Everything is read again when another tab changes it, when the page comes back from the
 * back/forward cache, and when a prerendered page is shown: a sign-in, sign-out or choice of theme
 * may have come in between. Templates wait until then, so no script of theirs runs on a page that
 * nobody has opened.
 */
import { returnParameter, returnPath } from '@app/contract/accounts/return-path';
import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import '../components/close-menus.ts';

const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
let theme: string | undefined;
let toast: string | undefined;
let signedIn: boolean | undefined;

const showTheme = () => {
  const dark = theme === 'dark' || (theme !== 'light' && systemDark.matches);
  root.classList.toggle('dark', dark);
  root.classList.toggle('light', !dark);
  for (const meta of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]')) {
    meta.content = dark ? '#0d1413' : '#fbf7ef';
  }
  for (const radio of document.querySelectorAll<HTMLInputElement>('[name=theme]')) {
    if (radio.value === theme) radio.checked = true;
  }
};

const update = () => {
  try {
    theme = localStorage['theme'];
    toast = sessionStorage['toast'];
    root.style.cssText = JSON.parse(localStorage['account']).face;
  } catch {
    // Storage is blocked, or no account is remembered.
  }
  showTheme();

  const wasSignedIn = signedIn;
  signedIn = root.classList.toggle(
    'signed-in',
    document.cookie.split('; ').includes(`${signedInCookie}=1`),
  );
  const { signedInTo, signedOutTo } = root.dataset;
  const next = new URLSearchParams(location.search).get(returnParameter) ?? '';
  const elsewhere = !signedIn
    ? signedOutTo
    : signedInTo && returnPath.test(next)
      ? next
      : signedInTo;
  if (wasSignedIn !== signedIn && elsewhere) location.replace(elsewhere);

  if (document.prerendering || !(signedIn || toast)) return;
  for (const template of document.querySelectorAll<HTMLTemplateElement>(
    'template[data-signed-in]',
  )) {
    template.replaceWith(template.content);
  }
};

update();
systemDark.addEventListener('change', showTheme);
for (const type of ['storage', 'pageshow', 'DOMContentLoaded']) addEventListener(type, update);
document.addEventListener('prerenderingchange', update);
addEventListener('change', ({ target }) => {
  const radio = target as HTMLInputElement;
  if (radio.name !== 'theme') return;
  theme = radio.value;
  try {
    localStorage['theme'] = theme;
  } catch {
    // Storage is blocked: the choice holds for this page.
  }
  showTheme();
});
addEventListener('load', () =>
  setTimeout(() => {
    const later = document.querySelector('noscript')?.textContent ?? '';
    document.head.insertAdjacentHTML('beforeend', later);
  }, 250),
);
