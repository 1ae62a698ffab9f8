/**
 * Runs in the head of /services. Who follows a link from another page of the site to
 * one of the sections sees the page from its top first, and after 300 ms it scrolls to
 * the section (spec §2, §9), smoothly by the page's styles. It has to run before the
 * browser looks for the section: it takes the fragment away and then goes there itself,
 * as a link would, so that the focus moves along.
 *
 * On a reload, on the way back, and from other sites the browser does what it always does.
 */
export const arrive = (ids: readonly string[]): string => `(() => {
const { hash, origin, pathname, search } = location;
const [entry] = performance.getEntriesByType('navigation');
if (!${JSON.stringify(ids.map((id) => `#${id}`))}.includes(hash) || entry?.type !== 'navigate' || !document.referrer.startsWith(origin + '/')) return;
history.replaceState(history.state, '', pathname + search);
addEventListener('DOMContentLoaded', () => setTimeout(() => location.replace(hash), 300));
})()`;
