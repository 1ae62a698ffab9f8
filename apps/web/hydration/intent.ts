import type { ClientDirective } from 'astro';

const signs = ['pointerenter', 'focusin', 'click'] as const;

/**
 * `client:intent` loads an island when somebody reaches for it: the pointer
 * enters it, the focus moves in, or a click lands in it. A click that came
 * before the island is repeated once it is there; when it cannot be loaded the
 * repeated click does what HTML does, such as sending the form.
 *
 * `client:intent="query"` also loads it at once when the address carries a
 * query, because then the island has something to say.
 */
const intent: ClientDirective = (load, { value }, island) => {
  let hydration: Promise<void> | undefined;

  const hydrate = async () => {
    try {
      const start = await load();
      await start();
    } finally {
      for (const sign of signs) island.removeEventListener(sign, onSign, true);
    }
  };

  const onSign = async (event: Event) => {
    const control = controlOf(event);
    if (control) event.preventDefault();
    hydration ??= hydrate();
    await hydration.catch(() => undefined);
    control?.click();
  };

  for (const sign of signs) island.addEventListener(sign, onSign, true);
  if (value === 'query' && location.search) hydration = hydrate();
};

/** What a plain click presses; with a modifier key a link means something else. */
const controlOf = (event: Event): HTMLElement | null => {
  if (!(event instanceof MouseEvent) || event.type !== 'click') return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  return event.target instanceof Element ? event.target.closest('a, button') : null;
};

export default intent;
