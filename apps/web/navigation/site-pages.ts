import type { AstroIntegration } from 'astro';
import { virtualModule } from '../virtual-module.ts';

/**
 * Tells pages which pages there are, as the module `virtual:site-pages`, so that sitemaps
 * list what exists.
 */
export const sitePages = (): AstroIntegration => {
  let paths: string[] = [];

  return {
    name: 'site-pages',
    hooks: {
      'astro:routes:resolved': ({ routes }) => {
        paths = routes
          .filter((route) => route.type === 'page' && route.origin === 'project')
          .flatMap((route) => route.pathname ?? [])
          .sort();
      },
      'astro:config:setup': ({ updateConfig }) => {
        const source = () => `export const sitePages = ${JSON.stringify(paths)};`;
        updateConfig({ vite: { plugins: [virtualModule('virtual:site-pages', source)] } });
      },
    },
  };
};
