/**
 * Inline script in the head of /services. A link from another page of the site to a section shows
 * the top of the page first and scrolls to the section after 300 ms (spec §2, §9). It removes the
 * fragment before the browser scrolls, then navigates to it, which also moves the focus. Reload,
 * Back and links from other sites are left to the browser.
 */
export const arrive = (ids: readonly string[]): string => `(() => {
const { hash, origin, pathname, search } = location;
const [entry] = performance.getEntriesByType('navigation');
if (!${JSON.stringify(ids.map((id) => `#${id}`))}.includes(hash) || entry?.type !== 'navigate' || !document.referrer.startsWith(origin + '/')) return;
history.replaceState(history.state, '', pathname + search);
addEventListener('DOMContentLoaded', () => setTimeout(() => location.replace(hash), 300));
})()`;
