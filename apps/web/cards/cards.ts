import type { AstroIntegration } from 'astro';
import { virtualModule } from '../virtual-module.ts';
import { loadCardMaker } from './card-maker.ts';

/** Tells pages the design of their cards, which is part of a card's address. */
export const cards = (): AstroIntegration => ({
  name: 'cards',
  hooks: {
    'astro:config:setup': async ({ updateConfig }) => {
      const { design } = await loadCardMaker();
      const source = () => `export const design = ${JSON.stringify(design)};`;
      updateConfig({ vite: { plugins: [virtualModule('virtual:card-design', source)] } });
    },
  },
});
