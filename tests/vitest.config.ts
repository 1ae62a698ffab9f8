import { defineConfig } from 'vitest/config';

const excluded = ['**/node_modules/**', '**/dist/**', 'tests/e2e/**', '**/*.process.test.ts'];

/** What replaces modules, for its own file only (vi.mock). */
const isolated = ['apps/api/src/accounts/sign-in/passwords.test.ts'];

export default defineConfig({
  // From here, because the tests of every package are one run with one summary.
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{apps,packages,tests}/**/*.test.{ts,tsx}'],
          // Those of processes need the built site: vitest.process.config.ts.
          exclude: [...excluded, ...isolated],
          // Loading the modules again for each file takes half of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
    environment: 'node',
    // Processes: native addons and signals behave as in the product.
    pool: 'forks',
    // The default leaves a core free; on a build machine with two that is half of them.
    maxWorkers: '100%',
    setupFiles: ['tests/support/console.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    expect: { requireAssertions: true },
    // What starts processes takes its time on a busy machine with two cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
