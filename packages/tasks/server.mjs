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

/**
 * How Node runs it. The young generation of the heap is kept small: left alone it
 * grows to a multiple of what the server needs, and is never given back.
 */
export const serverArguments = ['--max-semi-space-size=4', 'apps/api/dist/main.js'];
