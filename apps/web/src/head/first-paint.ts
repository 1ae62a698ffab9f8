import { createHash } from 'node:crypto';
import { signedInCookie } from '@app/contract/accounts';

/**
 * Runs in the head of every page, before anything is painted: puts the theme's
 * class on the root (spec §4: key `theme`, default the system's), and `signed-in`
 * when the readable cookie says so. A page that is of no use to one of the two
 * kinds of visitor names, as `data-signed-in-to` or `data-signed-out-to`, where
 * they go instead. What stands in a `<template data-signed-in>` becomes part of
 * the page for those who are.
 */
export const firstPaint = `(() => {
const root = document.documentElement;
let theme;
try { theme = localStorage.getItem('theme') } catch {}
if (theme !== 'light' && theme !== 'dark') theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
root.classList.add(theme);
const signedIn = document.cookie.split('; ').includes('${signedInCookie}=1');
root.classList.toggle('signed-in', signedIn);
const elsewhere = signedIn ? root.dataset.signedInTo : root.dataset.signedOutTo;
if (elsewhere) location.replace(elsewhere);
if (signedIn) addEventListener('DOMContentLoaded', () => {
for (const part of document.querySelectorAll('template[data-signed-in]')) part.replaceWith(part.content);
});
})()`;

/** Its entry in the content security policy: Astro does not hash inline scripts by itself. */
export const firstPaintHash =
  `sha256-${createHash('sha256').update(firstPaint).digest('base64')}` as const;
