import type { AstroIntegration } from 'astro';

const moduleId = 'virtual:site-pages';

/**
 * Tells pages which pages there are, as the module `virtual:site-pages`, so that
 * navigation shows no link that leads nowhere and sitemaps list what exists.
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
        updateConfig({
          vite: {
            plugins: [
              {
                name: moduleId,
                resolveId: (id) => (id === moduleId ? `\0${moduleId}` : undefined),
                load: (id) =>
                  id === `\0${moduleId}`
                    ? `export const sitePages = ${JSON.stringify(paths)};`
                    : undefined,
              },
            ],
          },
        });
      },
    },
  };
};
