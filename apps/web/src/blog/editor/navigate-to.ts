/**
 * Navigates to another page.
 * @returns whether the browser has left this page, which the back/forward cache can restore. False
 * if the user canceled, which Safari before 26.2 and Firefox before 147 do not report.
 */
export const navigateTo = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    addEventListener('pagehide', () => resolve(true), { once: true });
    window.navigation?.addEventListener('navigateerror', () => resolve(false), { once: true });
    location.assign(path);
  });
