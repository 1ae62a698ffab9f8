/**
 * Inline script in the head of /services: a link from another page to a section shows the top of
 * the page first, and scrolls after 300 ms (spec §2, §9). On a prerendered page, the time starts
 * when it is shown. Removes the fragment before the browser scrolls, then navigates to it, which
 * also moves the focus.
 */
export const delayedScroll = (ids: readonly string[]): string => `(() => {
const { hash, origin, pathname, search } = location;
const [entry] = performance.getEntriesByType('navigation');
if (!${JSON.stringify(ids.map((id) => `#${id}`))}.includes(hash) || entry?.type !== 'navigate' || !document.referrer.startsWith(origin + '/')) return;
history.replaceState(history.state, '', pathname + search);
addEventListener(document.prerendering ? 'prerenderingchange' : 'DOMContentLoaded', () => setTimeout(() => location.replace(hash), 300), true);
})()`;
