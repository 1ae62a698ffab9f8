import { built } from './built.mjs';

/** Everything that a page is made of; apps/api and the database are not. */
export const buildSite = () =>
  built({
    what: 'the site',
    folder: 'apps/web',
    dependency: 'astro',
    args: ['build'],
    sources: [
      'apps/web',
      'packages/contract',
      'packages/site',
      'pnpm-lock.yaml',
      'tsconfig.base.json',
    ],
  });
