import type { AstroIntegration } from 'astro';
import { virtualModule } from '../virtual-module.ts';
import { writeCards } from './build.ts';
import { loadCardMaker } from './card-maker.ts';

/**
 * Provides pages with the design hash, which is part of a card's URL, and renders the cards of
 * prerendered pages. The server renders all other cards.
 */
export const cards = (): AstroIntegration => {
  let cacheDir: URL;
  let client: URL;
  const titles = new Map<string, string>();

  return {
    name: 'cards',
    hooks: {
      'astro:config:setup': async ({ command, addMiddleware, updateConfig }) => {
        const { design } = await loadCardMaker();
        const source = () => `export const design = ${JSON.stringify(design)};`;
        updateConfig({ vite: { plugins: [virtualModule('virtual:card-design', source)] } });
        if (command !== 'build') return;
        addMiddleware({ order: 'pre', entrypoint: new URL('./middleware.ts', import.meta.url) });
      },
      'astro:config:done': ({ config }) => {
        cacheDir = config.cacheDir;
        client = config.build.client;
      },
      'astro:build:start': () => {
        globalThis.prerenderedCards = titles;
      },
      'astro:build:done': async () => {
        if (titles.size === 0) throw new Error('No prerendered page has a social card');
        await writeCards(titles, { client, cacheDir, maker: await loadCardMaker() });
      },
    },
  };
};
