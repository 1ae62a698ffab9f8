import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { testDatabaseKind } from '@app/db/testing/test-database-kind';
import { makeTemporaryFolder } from '@app/tasks/temporary-files';
import { defineConfig } from 'vitest/config';
import { isFullRun } from './support/full-run.ts';

// One temporary folder for this process and its children.
const folder = makeTemporaryFolder('tests-');
process.env['TMPDIR'] = folder;
// Compiling is half of the startup time of a thread or process whose script is TypeScript.
process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');

const excluded = ['**/node_modules/**', '**/dist/**', 'tests/e2e/**', '**/*.process.test.ts'];

/** Tests with vi.mock, which must not affect other files. */
const isolated = ['apps/api/src/accounts/sign-in/passwords.test.ts'];

/** Against a database server, only the tests of the package that uses the database. */
const included =
  testDatabaseKind === 'file'
    ? '{apps,packages,tests}/**/*.test.{ts,tsx}'
    : 'apps/api/**/*.test.{ts,tsx}';

export default defineConfig({
  // One run with one summary for all packages.
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Later runs transform only changed files.
    fsModuleCache: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [included],
          // Process tests need the built site: vitest.process.config.ts.
          exclude: [...excluded, ...isolated],
          // Isolation would double the run time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
    environment: 'node',
    // Native addons and signals behave as in production.
    pool: 'forks',
    // While some tests wait for servers, others can use the CPU.
    maxWorkers: 2 * availableParallelism(),
    setupFiles: ['tests/support/console.ts'],
    provide: { isFullRun },
    // As in playwright.config.ts.
    retry: 1,
    restoreMocks: true,
    unstubEnvs: true,
    // For the failed try of a flaky test, the summary shows nothing but this message.
    chaiConfig: { truncateThreshold: 1_000 },
    expect: { requireAssertions: true, poll: { timeout: 90_000 } },
    // A busy machine stalls for up to a minute. Tests that pass never wait for a timeout.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
