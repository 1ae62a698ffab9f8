/** `pnpm test:full` tests all cases of each rule. */
export const isFullRun = process.env['FULL_TESTS'] === '1';

/** Of browser tests that run on phones in full runs only. */
export const phoneInFullRun = isFullRun ? '@phone' : [];
