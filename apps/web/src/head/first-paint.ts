import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { returnParameter, returnPath } from '@app/contract/accounts/return-path';
import { signedInCookie } from '@app/contract/accounts/signed-in-cookie';
import { minifySync, transformWithOxc } from 'vite';

const menus = new URL('../components/close-menus.ts', import.meta.url);
const { code: closeMenus } = await transformWithOxc(await readFile(menus, 'utf8'), menus.pathname);

/**
 * Runs in the head of every page, before anything is painted, and keeps listening:
 *
 * - The theme (spec §4): storage key `theme`; `light` or `dark` as a class on the
 *   root. It follows the radio buttons of theme/ThemeMenu.astro, the operating
 *   system while the choice is `system`, and the other tabs.
 * - `signed-in` as a class on the root, when the readable cookie says so; the face in the
 *   header is drawn from what account-menu/remembered-account.ts keeps, whose changes reach
 *   the other tabs. A page that is of no use to one of the two kinds of visitor names, as
 *   `data-signed-in-to` or `data-signed-out-to`, where they go instead; /auth leads those who are
 *   signed in back to the page that its query names. What stands in a
 *   `<template data-signed-in>` becomes part of the page for those who are, and for those
 *   whom the page before left something to say (accounts/carried-toast.ts).
 * - The page's `noscript` has links that the first paint can do without: they are
 *   followed after it.
 * - What closes the header's menus: components/close-menus.ts.
 *
 * The theme is no island: a visitor on a slow phone would wait for React to see the
 * lamp go on.
 */
const source = `(() => {
const root = document.documentElement;
const night = matchMedia('(prefers-color-scheme: dark)');
let theme;
let signedIn;
let unsaid;
const show = () => {
const dark = root.classList.toggle('dark', theme === 'dark' || (theme !== 'light' && night.matches));
root.classList.toggle('light', !dark);
for (const meta of document.querySelectorAll('[name=theme-color]')) meta.content = dark ? '#0d1413' : '#fbf7ef';
for (const radio of document.getElementsByName('theme')) if (radio.value === theme) radio.checked = true;
};
const read = () => {
try {
theme = localStorage.theme;
unsaid = sessionStorage.toast;
root.style.cssText = JSON.parse(localStorage.account).face;
} catch {}
show();
const was = signedIn;
signedIn = root.classList.toggle('signed-in', /\\b${signedInCookie}=1/.test(document.cookie));
const { signedInTo, signedOutTo } = root.dataset;
const next = new URLSearchParams(location.search).get('${returnParameter}');
const elsewhere = !signedIn ? signedOutTo : signedInTo && ${returnPath}.test(next) ? next : signedInTo;
if (was !== signedIn && elsewhere) location.replace(elsewhere);
if (signedIn || unsaid) for (const part of document.querySelectorAll('template[data-signed-in]')) part.replaceWith(part.content);
};
read();
night.addEventListener('change', show);
for (const type of ['storage', 'pageshow', 'DOMContentLoaded']) addEventListener(type, read);
addEventListener('change', ({ target }) => {
if (target.name !== 'theme') return;
theme = target.value;
try { localStorage.theme = theme } catch {}
show();
});
addEventListener('load', () => setTimeout(() => {
document.head.insertAdjacentHTML('beforeend', document.querySelector('noscript').textContent);
}, 250));
${closeMenus.replace('export {};', '')}
})()`;

/** Only astro.config.ts asks for it, which has a compiler; pages find it as import.meta.env.FIRST_PAINT. */
export const firstPaint = minifySync('first-paint.js', source).code;

/** Its entry in the content security policy: Astro does not hash inline scripts by itself. */
export const firstPaintHash =
  `sha256-${createHash('sha256').update(firstPaint).digest('base64')}` as const;
