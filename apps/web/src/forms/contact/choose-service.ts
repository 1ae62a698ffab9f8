/**
 * /contact?service=betty chooses what the message is about, where that is one of the menu's
 * choices. On a reload and on the way back, what the visitor has chosen since then stays.
 */
export const chooseService = (): void => {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type !== 'navigate') return;
  const service = new URLSearchParams(location.search).get('service');
  const menu = document.querySelector<HTMLSelectElement>('select[name="service"]');
  const option = Array.from(menu?.options ?? []).find(({ value }) => value === service);
  if (option) option.selected = true;
};
