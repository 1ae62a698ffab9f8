/*
 * Inlined into the head of every page (head/bundle-inline.ts), so that the first paint is right:
 *
 * - Theme: sets the class `light` or `dark` on the root, from storage or the system.
 * - Account: sets the class `signed-in` on the root. From what accounts/menu/remembered-account.ts
 *   stored, sets the avatar, and the class `reader` if the account may not write.
 * - Redirects signed-in visitors to `data-signed-in-to` (on /auth, to the page in the query if there
 *   is one). head/signed-out-script.ts redirects signed-out visitors.
 * - Expands `<template data-signed-in>` for signed-in visitors, and for a queued toast.
 * - Reports errors (client-errors/watch-errors.ts).
 * - Loads the stylesheets in the page's `noscript` after the first paint.
 *
 * Reads all state again when another tab changes it, when the page is restored from the
 * back/forward cache, and when a prerendered page is shown, which does not expand templates before.
 */
import { returnParameter, returnPath } from '@app/contract/accounts/return-path';
import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import '../client-errors/watch-errors.ts';
import '../components/close-menus.ts';

const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
let theme: string | undefined;
let signedIn: boolean | undefined;

const showTheme = () => {
  const dark = theme === 'dark' || (theme !== 'light' && systemDark.matches);
  root.classList.toggle('dark', dark);
  root.classList.toggle('light', !dark);
  for (const meta of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]')) {
    meta.content = dark ? import.meta.env.THEME_COLOR_NIGHT : import.meta.env.THEME_COLOR_DAY;
  }
  for (const radio of document.querySelectorAll<HTMLInputElement>('[name=theme]')) {
    if (radio.value === theme) radio.checked = true;
  }
};

const expandTemplates = () => {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(
    'template[data-signed-in]',
  )) {
    template.replaceWith(template.content);
  }
};

const showToast = () => {
  try {
    if (sessionStorage['toast']) expandTemplates();
  } catch {
    // Storage is blocked.
  }
};

const update = () => {
  try {
    theme = localStorage['theme'];
    const account = JSON.parse(localStorage['account']);
    root.style.cssText = account.avatarStyle;
    root.classList.toggle('reader', account.mayWrite === false);
  } catch {
    // Storage is blocked, or no account is remembered.
  }
  showTheme();

  const wasSignedIn = signedIn;
  signedIn = root.classList.toggle(
    'signed-in',
    document.cookie.split('; ').includes(`${signedInCookie}=1`),
  );
  const { signedInTo } = root.dataset;
  const next = new URLSearchParams(location.search).get(returnParameter) ?? '';
  if (wasSignedIn !== signedIn && signedIn && signedInTo) {
    location.replace(returnPath.test(next) ? next : signedInTo);
  }

  if (document.prerendering) return;
  if (signedIn) expandTemplates();
  // After the first frame, because on a prerendered page reading storage blocks on another process.
  else requestAnimationFrame(() => setTimeout(showToast));
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
    // Storage is blocked.
  }
  showTheme();
});
addEventListener('load', () =>
  setTimeout(() => {
    const deferredLinks = document.querySelector('body > noscript')?.textContent ?? '';
    document.head.insertAdjacentHTML('beforeend', deferredLinks);
  }, 250),
);
