import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Tests that run the built program in its own process. */
const { projects: _, ...options } = base.test ?? {};

export default defineConfig({
  ...base,
  test: {
    ...options,
    globalSetup: 'tests/support/test-sites.ts',
    include: ['tests/{deploy,faults}/**/*.process.test.ts'],
    exclude: ['**/node_modules/**'],
    // Each file starts several processes.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // With isolation, each file would load the support code again.
    isolate: false,
  },
});
