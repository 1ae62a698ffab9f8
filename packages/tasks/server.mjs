import { built } from './built.mjs';

/** The API as `npm start` runs it: bundled, see apps/api/rolldown.config.ts. */
export const buildServer = () =>
  built({
    what: 'the server',
    folder: 'apps/api',
    dependency: 'rolldown',
    args: ['-c'],
    sources: [
      'apps/api',
      'packages/contract',
      'packages/db',
      'packages/site',
      'pnpm-lock.yaml',
      'tsconfig.base.json',
    ],
  });
