import type { ClientDirective } from 'astro';

const interactions = ['pointerenter', 'focusin', 'click'] as const;

/**
 * `client:intent` hydrates an island at the first interaction. A click on a link or button is
 * replayed after hydration, and has its native effect if the island cannot be loaded.
 * `client:intent="query"` also hydrates immediately if the URL has a query.
 */
const intent: ClientDirective = (load, { value }, island) => {
  let hydration: Promise<void> | undefined;

  const hydrate = async () => {
    try {
      const start = await load();
      await start();
    } finally {
      for (const type of interactions) island.removeEventListener(type, onInteraction, true);
    }
  };

  const onInteraction = async (event: Event) => {
    const control = clickedControl(event);
    if (control) event.preventDefault();
    hydration ??= hydrate();
    await hydration.catch(() => undefined);
    control?.click();
  };

  for (const type of interactions) island.addEventListener(type, onInteraction, true);
  if (value === 'query' && location.search) hydration = hydrate();
};

/** The target of a plain click. With a modifier key, the browser opens a link elsewhere. */
const clickedControl = (event: Event): HTMLElement | null => {
  if (!(event instanceof MouseEvent) || event.type !== 'click') return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  return event.target instanceof Element ? event.target.closest('a, button') : null;
};

export default intent;
