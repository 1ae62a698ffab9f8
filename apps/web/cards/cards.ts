import type { AstroIntegration } from 'astro';
import { loadCardMaker } from './card-maker.ts';

const moduleId = 'virtual:card-design';

/** Tells pages the design of their cards, which is part of a card's address. */
export const cards = (): AstroIntegration => ({
  name: 'cards',
  hooks: {
    'astro:config:setup': async ({ config, updateConfig }) => {
      const { design } = await loadCardMaker(config.cacheDir);
      updateConfig({
        vite: {
          plugins: [
            {
              name: moduleId,
              resolveId: (id) => (id === moduleId ? `\0${moduleId}` : undefined),
              load: (id) =>
                id === `\0${moduleId}`
                  ? `export const design = ${JSON.stringify(design)};`
                  : undefined,
            },
          ],
        },
      });
    },
  },
});
