/**
 * Preselects the service in /contact?service=betty. On reload and Back, keeps the visitor's choice.
 */
export const chooseService = (): void => {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type !== 'navigate') return;
  const service = new URLSearchParams(location.search).get('service');
  const menu = document.querySelector<HTMLSelectElement>('select[name="service"]');
  const option = Array.from(menu?.options ?? []).find(({ value }) => value === service);
  if (option) option.selected = true;
};
