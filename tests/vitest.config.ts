import { defineConfig } from 'vitest/config';

export default defineConfig({
  // From here, because the tests of every package are one run with one summary.
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['{apps,packages,tests}/**/*.test.ts'],
    // Those of processes need the built site: vitest.process.config.ts.
    exclude: ['**/node_modules/**', '**/dist/**', 'tests/e2e/**', '**/*.process.test.ts'],
    environment: 'node',
    // A process a file: native addons and signals behave as in the product.
    pool: 'forks',
    // The default leaves a core free; on a build machine with two that is half of them.
    maxWorkers: '100%',
    setupFiles: ['tests/support/console.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    expect: { requireAssertions: true },
    // Password hashing on a busy machine with two cores takes its time.
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
