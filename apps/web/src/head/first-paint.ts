import { createHash } from 'node:crypto';
import { signedInCookie } from '@app/contract/accounts';
import { minifySync } from 'vite';

/**
 * Runs in the head of every page, before anything is painted, and keeps listening:
 *
 * - The theme (spec §4): storage key `theme`; `light` or `dark` as a class on the
 *   root. It follows the radio buttons of theme/ThemeMenu.astro, the operating
 *   system while the choice is `system`, and the other tabs.
 * - `signed-in` as a class on the root, when the readable cookie says so. A page that
 *   is of no use to one of the two kinds of visitor names, as `data-signed-in-to` or
 *   `data-signed-out-to`, where they go instead. What stands in a
 *   `<template data-signed-in>` becomes part of the page for those who are.
 * - The page's `noscript` has links that the first paint can do without: they are
 *   followed after it.
 *
 * The theme is no island: a visitor on a slow phone would wait for React to see the
 * lamp go on.
 */
const source = `(() => {
const root = document.documentElement;
const night = matchMedia('(prefers-color-scheme: dark)');
let theme = 'system';
const show = () => {
const dark = theme === 'dark' || (theme === 'system' && night.matches);
root.classList.toggle('dark', dark);
root.classList.toggle('light', !dark);
for (const meta of document.querySelectorAll('[name=theme-color]')) meta.content = dark ? '#0d1413' : '#fbf7ef';
for (const radio of document.getElementsByName('theme')) radio.checked = radio.value === theme;
};
const read = () => {
try {
const kept = localStorage.getItem('theme');
theme = kept === 'light' || kept === 'dark' ? kept : 'system';
} catch {}
show();
};
read();
night.addEventListener('change', show);
for (const type of ['storage', 'pageshow', 'DOMContentLoaded']) addEventListener(type, read);
addEventListener('change', ({ target }) => {
if (target.name !== 'theme') return;
theme = target.value;
try { localStorage.setItem('theme', theme) } catch {}
show();
});
const signedIn = document.cookie.split('; ').includes('${signedInCookie}=1');
root.classList.toggle('signed-in', signedIn);
const elsewhere = signedIn ? root.dataset.signedInTo : root.dataset.signedOutTo;
if (elsewhere) location.replace(elsewhere);
if (signedIn) addEventListener('DOMContentLoaded', () => {
for (const part of document.querySelectorAll('template[data-signed-in]')) part.replaceWith(part.content);
});
addEventListener('load', () => setTimeout(() => {
document.head.insertAdjacentHTML('beforeend', document.querySelector('noscript').textContent);
}, 250));
})()`;

/** Only astro.config.ts asks for it, which has a compiler; pages find it as import.meta.env.FIRST_PAINT. */
export const firstPaint = minifySync('first-paint.js', source).code;

/** Its entry in the content security policy: Astro does not hash inline scripts by itself. */
export const firstPaintHash =
  `sha256-${createHash('sha256').update(firstPaint).digest('base64')}` as const;
