import type { ClientDirective } from 'astro';

const interactions = ['pointerenter', 'focusin', 'click'] as const;

/**
 * `client:intent` hydrates an island at the first interaction. Links, buttons and forms have their
 * native effect until it is hydrated, so a slow script never delays them. `client:intent="query"`
 * also hydrates immediately if the URL has a query.
 */
const intent: ClientDirective = (load, { value }, island) => {
  const hydrate = async () => {
    for (const type of interactions) island.removeEventListener(type, hydrate, true);
    try {
      const start = await load();
      await start();
    } catch {
      // Astro logs the error. The island stays as it is without JavaScript.
    }
  };

  for (const type of interactions) island.addEventListener(type, hydrate, true);
  if (value === 'query' && location.search) void hydrate();
};

export default intent;
