/** `pnpm test:full` tests all cases of each rule. */
export const isFullRun = process.env['FULL_TESTS'] === '1';
