/**
 * Leads to another page. @returns whether the browser has left: not if the user has stopped it, which
 * Safari before 26.2 and Firefox before 147 do not report. The back/forward cache may restore the page.
 */
export const navigateTo = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    addEventListener('pagehide', () => resolve(true), { once: true });
    window.navigation?.addEventListener('navigateerror', () => resolve(false), { once: true });
    location.assign(path);
  });
