import { built } from './built.mjs';

/** Everything that a page is made of; apps/api and the database are not. */
export const buildSite = () =>
  built({
    what: 'the site',
    folder: 'apps/web',
    dependency: 'astro',
    // Astro's cache of rendered Markdown does not notice a change of the plugins that rendered it.
    args: ['build', '--force'],
    sources: [
      'apps/web',
      'packages/contract',
      'packages/site',
      'pnpm-lock.yaml',
      'tsconfig.base.json',
    ],
  });
