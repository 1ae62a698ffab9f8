import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { testDatabaseKind } from '@app/db/testing/test-database-kind';
import { makeTemporaryFolder } from '@app/tasks/temporary-files';
import { defineConfig } from 'vitest/config';
import { isFullRun } from './support/full-run.ts';

// The same for everything in this process and its children.
const folder = makeTemporaryFolder('tests-');
process.env['TMPDIR'] = folder;
// Compiling is half of the start of a thread or process whose script is TypeScript.
process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');

const excluded = ['**/node_modules/**', '**/dist/**', 'tests/e2e/**', '**/*.process.test.ts'];

/** Tests with vi.mock, which must not affect other files. */
const isolated = ['apps/api/src/accounts/sign-in/passwords.test.ts'];

/** On a server, the tests of what uses the database. */
const included =
  testDatabaseKind === 'file'
    ? '{apps,packages,tests}/**/*.test.{ts,tsx}'
    : 'apps/api/**/*.test.{ts,tsx}';

export default defineConfig({
  // One run with one summary for all packages.
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Transforms changed files only.
    fsModuleCache: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [included],
          // Process tests need the built site: vitest.process.config.ts.
          exclude: [...excluded, ...isolated],
          // Isolation would take half of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
    environment: 'node',
    // Native addons and signals behave as in production.
    pool: 'forks',
    // Some wait for servers, and others can use the processor meanwhile.
    maxWorkers: 2 * availableParallelism(),
    setupFiles: ['tests/support/console.ts'],
    provide: { isFullRun },
    // As in playwright.config.ts.
    retry: 1,
    restoreMocks: true,
    unstubEnvs: true,
    // The summary shows only the message of a flaky test's first try.
    chaiConfig: { truncateThreshold: 1_000 },
    expect: { requireAssertions: true, poll: { timeout: 90_000 } },
    // A busy machine stalls for up to a minute. Passing tests wait for states, never for these.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
